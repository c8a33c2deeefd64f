// hmc: --cat aarch64,power,riscv => holds,holds,holds
// hmc: --cat aarch64 -- -DWRONG => violated kind=assertion
// hmc: --cat power -- -DWRONG => violated kind=assertion
// hmc: --cat riscv -- -DWRONG => violated kind=assertion
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=assertion
//
// The last thread reads what comes round of a write that stands behind that read, and the first thread's update reads what it makes of that: 2. With release nothing comes round.
// (That execution was not found: the write that the update reads fills a hole, and the update had been made before there was that hole.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

static atomic_int sent, round, updated;

static void *updater(void *arg) {
    int early = atomic_load_explicit(&round, memory_order_relaxed); // HERE
    int old = atomic_fetch_add_explicit(&updated, 1, memory_order_relaxed); // HERE
    assert(early != 0 || old != 2); // HERE
    return arg;
}

static void *sender(void *arg) {
    int received = atomic_load_explicit(&sent, memory_order_relaxed); // HERE
    atomic_store_explicit(&round, received, memory_order_relaxed); // HERE
    return arg;
}

static void *receiver(void *arg) {
    int received = atomic_load_explicit(&round, memory_order_relaxed); // HERE
    atomic_store_explicit(&updated, received, memory_order_relaxed); // HERE
    atomic_exchange_explicit(&sent, 2, ORDER); // HERE
    return arg;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, updater, 0);
    pthread_create(&t[1], 0, sender, 0);
    pthread_create(&t[2], 0, receiver, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
