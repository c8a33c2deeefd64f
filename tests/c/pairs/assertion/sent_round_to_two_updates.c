// hmc: --cat rc11 -- -DWRONG => holds
// hmc: --cat lkmm,power,riscv -- -DWRONG => holds,holds,holds
// hmc: --cat c11 => holds
// hmc: --cat c11 -- -DWRONG => violated kind=assertion
//
// What an exchange reads comes round to an earlier update of the same thread, and another thread's update stands between the two. C11 allows it of relaxed accesses, as no other model does.
// (Exploration lost that execution: a choice counted as possible that leaves the exchange no place to write to.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define RELEASE memory_order_relaxed
#define ACQUIRE memory_order_relaxed
#else
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#endif

static atomic_int begun, updated, sent;
static int between, first, second, seen, received;

static void *updater(void *arg) {
    between = atomic_fetch_add_explicit(&updated, 1, memory_order_relaxed); // HERE
    atomic_store_explicit(&begun, 1, memory_order_relaxed); // HERE
    return arg;
}

static void *sender(void *arg) {
    first = atomic_fetch_add_explicit(&updated, 1, memory_order_relaxed); // HERE
    second = atomic_exchange_explicit(&updated, 5, memory_order_relaxed); // HERE
    atomic_store_explicit(&sent, second, RELEASE); // HERE
    return arg;
}

static void *starter(void *arg) {
    seen = atomic_load_explicit(&begun, memory_order_relaxed); // HERE
    atomic_store_explicit(&updated, seen, memory_order_relaxed); // HERE
    return arg;
}

static void *receiver(void *arg) {
    received = atomic_load_explicit(&sent, ACQUIRE); // HERE
    atomic_store_explicit(&updated, received, memory_order_relaxed); // HERE
    return arg;
}

int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], 0, updater, 0);
    pthread_create(&t[1], 0, sender, 0);
    pthread_create(&t[2], 0, starter, 0);
    pthread_create(&t[3], 0, receiver, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(between != 2 || first != 1 || second != 1 || seen != 1 || received != 1); // HERE
    return 0;
}
