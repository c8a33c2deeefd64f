// hmc: --cat aarch64,power,riscv => holds,holds,holds
// hmc: --cat aarch64 -- -DWRONG => violated kind=assertion
// hmc: --cat power -- -DWRONG => violated kind=assertion
// hmc: --cat riscv -- -DWRONG => violated kind=assertion
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=assertion
//
// A reader and an update both read what comes round of a write that stands behind the read. With acquire nothing comes round.
// (That execution was lost: the write revisits the reader's read where the update is run again, and the reader had read the update in the only graph from which a revisit that keeps the update is made.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acquire
#endif

static atomic_int sent, read_only, updated = 7;
static int last, first, middle, later, second, begun;

static void *exchanger(void *arg) {
    last = atomic_exchange_explicit(&updated, 20, memory_order_relaxed); // HERE
    return arg;
}

static void *reader(void *arg) {
    first = atomic_load_explicit(&sent, ORDER); // HERE
    int old = atomic_exchange_explicit(&read_only, first, memory_order_relaxed); // HERE
    atomic_store_explicit(&updated, old, memory_order_relaxed); // HERE
    return arg;
}

static void *sender(void *arg) {
    middle = atomic_exchange_explicit(&updated, 10, memory_order_relaxed); // HERE
    later = atomic_fetch_add_explicit(&updated, 1, memory_order_relaxed); // HERE
    atomic_store_explicit(&sent, middle, memory_order_relaxed); // HERE
    return arg;
}

static void *updater(void *arg) {
    second = atomic_fetch_add_explicit(&sent, 1, memory_order_relaxed); // HERE
    begun = atomic_fetch_add_explicit(&updated, 1, memory_order_relaxed); // HERE
    return arg;
}

int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], 0, exchanger, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_create(&t[2], 0, sender, 0);
    pthread_create(&t[3], 0, updater, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(last != 10 || first != 1 || middle != 1 || later != 20 || second != 1 || begun != 0); // HERE
    return 0;
}
