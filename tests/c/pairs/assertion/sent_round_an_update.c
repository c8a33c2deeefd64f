// hmc: --cat aarch64,power,riscv => holds,holds,holds
// hmc: --cat aarch64 -- -DWRONG => violated kind=assertion
// hmc: --cat power -- -DWRONG => violated kind=assertion
// hmc: --cat riscv -- -DWRONG => violated kind=assertion
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=assertion
//
// An update reads what another thread made of a write that comes behind the update, and a third thread reads what the update writes: 3. With release nothing comes before the
// update. (That execution was not found: the write of an update that fills a hole, behind another hole, revisited nothing.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

static atomic_int beside, updated, sent;

static void *reader(void *arg) {
    assert(atomic_load_explicit(&updated, memory_order_relaxed) != 3); // HERE
    return arg;
}

static void *sender(void *arg) {
    int received = atomic_load_explicit(&sent, memory_order_relaxed); // HERE
    atomic_store_explicit(&beside, 1, memory_order_relaxed); // HERE
    atomic_store_explicit(&updated, received, memory_order_relaxed); // HERE
    return arg;
}

static void *updater(void *arg) {
    atomic_fetch_add_explicit(&updated, 1, memory_order_relaxed); // HERE
    atomic_store_explicit(&sent, 2, ORDER); // HERE
    return arg;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, reader, 0);
    pthread_create(&t[1], 0, sender, 0);
    pthread_create(&t[2], 0, updater, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
