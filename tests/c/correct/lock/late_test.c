// hmc: --cat sc -- => holds executions=36
// hmc: --cat rc11 -- => holds executions=36
// hmc: --cat tso -- => holds executions=36
// hmc: --cat imm -- => holds executions=36
// hmc: --cat c11 -- => holds executions=36
// hmc: --cat aarch64 -- => holds executions=36
// hmc: --cat sc -- -DN=2 => holds executions=4
//
// A lock that is tested before it is taken by compare-and-swap. The test may have read any earlier release, also one that is long past;
// the compare-and-swap behind it fails for now and succeeds when the lock is released. So the n-th thread to enter has n tests to
// choose from: N! * N! executions. A wait is in vain only when the read that was added last can never change, not when an earlier one
// cannot.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int taken;

static void *enter(void *arg) {
    (void)arg;
    for (;;) {
        while (atomic_load_explicit(&taken, memory_order_relaxed))
            ;
        int free = 0;
        if (atomic_compare_exchange_strong_explicit(&taken, &free, 1, memory_order_acquire, memory_order_relaxed))
            break;
    }
    atomic_store_explicit(&taken, 0, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, enter, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
