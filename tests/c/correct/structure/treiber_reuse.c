// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
//
// Treiber's stack whose nodes are used again, with a counter beside the top that every pop changes (against "ABA").
// R. K. Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986; the counter is that of the IBM System/370
// "principles of operation".
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef COUNT
#define COUNT 1
#endif

// A top is a node number (0: none) and a count of pops.
#define NODE(t) ((int)((t) & 0xffff))
#define TOP(count, node) (((count) << 16) | (unsigned)(node))

static atomic_uint top;
static atomic_int next[4];
static atomic_int taken[4];

static void push(int n) {
    unsigned t = atomic_load_explicit(&top, memory_order_acquire);
    do
        atomic_store_explicit(&next[n], NODE(t), memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&top, &t, TOP(t >> 16, n), memory_order_acq_rel, memory_order_acquire));
}

static int pop(void) {
    unsigned t = atomic_load_explicit(&top, memory_order_acquire);
    while (NODE(t)) {
        int after = atomic_load_explicit(&next[NODE(t)], memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &t, TOP((t >> 16) + COUNT, after), memory_order_acq_rel,
                                                    memory_order_acquire))
            return NODE(t);
    }
    return 0;
}

static void own(int n) {
    if (n)
        assert(atomic_fetch_add_explicit(&taken[n], 1, memory_order_relaxed) == 0);
}

static void release(int n) { atomic_fetch_sub_explicit(&taken[n], 1, memory_order_relaxed); }

// Takes one node and keeps it.
static void *one(void *arg) {
    (void)arg;
    own(pop());
    return 0;
}

// Takes two nodes and gives the first one back.
static void *two(void *arg) {
    (void)arg;
    int a = pop();
    own(a);
    own(pop());
    if (a) {
        release(a);
        push(a);
    }
    return 0;
}

int main(void) {
    push(2);
    push(1);
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    // What is left on the stack is nobody's.
    own(pop());
    own(pop());
    return 0;
}
