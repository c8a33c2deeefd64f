// hmc: --cat sc => holds executions=36
// hmc: --cat c11 => holds executions=36
// hmc: --cat imm => holds executions=36
//
// Three threads take a lock of which they assume that it is free, and count behind it: 6 orders of the lock, 6 of the counter. What comes behind an assumption happens because
// of what was read: a revisit that keeps the unlocking keeps how the thread came to it. (Under C11, 15 executions were lost, with a note.)
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);

static atomic_int lock, counter;

static void *run(void *arg) {
    int expected = 0;
    __VERIFIER_assume(atomic_compare_exchange_strong_explicit(&lock, &expected, 7, memory_order_acquire, memory_order_acquire));
    atomic_store_explicit(&lock, 0, memory_order_release);
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, run, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
