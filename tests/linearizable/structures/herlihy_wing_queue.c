/* The queue of Herlihy and Wing (1990): an enqueue draws a slot and fills it, a dequeue looks at the slots in turn, and waits when it finds nothing. With an acquiring exchange instead of one that releases as well
   (-DBUG) it is wrong under rc11 for some client of four enqueues and three dequeues. */
#include <hmc.h>
#include <stdatomic.h>

#ifdef BUG
#define EXCHANGE memory_order_acquire
#else
#define EXCHANGE memory_order_acq_rel
#endif

static atomic_int slots[8];
static atomic_int back;

static void enqueue(int value) {
    int slot = atomic_fetch_add_explicit(&back, 1, memory_order_release);
    atomic_store_explicit(&slots[slot], value, memory_order_release);
}

static int dequeue(void) {
    int range = atomic_load_explicit(&back, memory_order_acquire);
    for (int slot = 0; slot < range; slot++) {
        if (!atomic_load_explicit(&slots[slot], memory_order_acquire))
            continue;
        int value = atomic_exchange_explicit(&slots[slot], 0, EXCHANGE);
        if (value)
            return value;
    }
    hmc_assume(0);
    return -1;
}
