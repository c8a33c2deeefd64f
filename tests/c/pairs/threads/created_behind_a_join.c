// hmc: --cat rc11 => holds executions=1
// hmc: --cat sc => holds executions=1
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
// hmc: --cat sc -- -DWRONG => violated kind=assertion
// hmc: --cat lkmm => holds executions=1
// hmc: --cat lkmm -- -DWRONG => violated kind=assertion
//
// A thread is created when the only other one has been joined: `main` is alone in between, not at its end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int before, between;

static void *first(void *arg) {
    atomic_store_explicit(&before, 1, memory_order_relaxed);
    return arg;
}

static void *second(void *arg) {
    int sum = atomic_load_explicit(&before, memory_order_relaxed) + atomic_load_explicit(&between, memory_order_relaxed);
#ifdef WRONG
    assert(sum != 3); // HERE
#else
    assert(sum == 3);
#endif
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    pthread_join(thread, 0);
    atomic_store_explicit(&between, 2, memory_order_relaxed);
    pthread_create(&thread, 0, second, 0);
    pthread_join(thread, 0);
    return 0;
}
