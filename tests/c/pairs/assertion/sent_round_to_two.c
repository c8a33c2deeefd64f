// hmc: --cat aarch64,power,riscv => holds,holds,holds
// hmc: --cat aarch64 -- -DWRONG => violated kind=assertion
// hmc: --cat power -- -DWRONG => violated kind=assertion
// hmc: --cat riscv -- -DWRONG => violated kind=assertion
// hmc: --cat lkmm => holds executions=310 notes=0
// hmc: --cat lkmm -- -DWRONG => violated kind=assertion
//
// Two threads read what comes round of a write that stands behind the read of one of them, and between the updates whose value is sent there is another one. With acquire nothing comes round.
// (That execution was not found: the write needs that the second update has read the first thread's, and what the other reader had read was taken to be needed with that.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acquire
#endif

static atomic_int sent, round, updated = 7;
static int between, later, first, second, carried;

static void *updater(void *arg) {
    between = atomic_fetch_add_explicit(&updated, 1, memory_order_relaxed); // HERE
    return arg;
}

static void *sender(void *arg) {
    int received = atomic_exchange_explicit(&updated, 2, memory_order_relaxed); // HERE
    later = atomic_fetch_add_explicit(&updated, 1, memory_order_relaxed); // HERE
    atomic_store_explicit(&sent, received, memory_order_relaxed); // HERE
    return arg;
}

static void *receiver(void *arg) {
    first = atomic_load_explicit(&sent, ORDER); // HERE
    carried = atomic_load_explicit(&round, memory_order_relaxed); // HERE
    atomic_store_explicit(&updated, carried, memory_order_relaxed); // HERE
    return arg;
}

static void *beginner(void *arg) {
    second = atomic_load_explicit(&sent, memory_order_relaxed); // HERE
    int old = atomic_load_explicit(&updated, memory_order_relaxed); // HERE
    atomic_store_explicit(&round, old, memory_order_relaxed); // HERE
    return arg;
}

int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], 0, updater, 0);
    pthread_create(&t[1], 0, sender, 0);
    pthread_create(&t[2], 0, receiver, 0);
    pthread_create(&t[3], 0, beginner, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    int last = atomic_load_explicit(&updated, memory_order_relaxed);
    assert(first != 7 || second != 7 || carried != 7 || between != 2 || later != 3 || last != 4); // HERE
    return 0;
}
