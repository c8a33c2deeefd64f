// hmc: --cat sc -- => holds executions=24
// hmc: --cat rc11 -- => holds executions=24
// hmc: --cat tso -- => holds executions=24
// hmc: --cat imm -- => holds executions=24
// hmc: --cat c11 -- => holds executions=24
// hmc: --cat aarch64 -- => holds executions=24
//
// N threads each assume that their compare-and-swap takes the lock: the executions are the N! orders in which they come.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

void __VERIFIER_assume(int);

static atomic_int taken;

static void *enter(void *arg) {
    int free = 0;
    __VERIFIER_assume(
        atomic_compare_exchange_strong_explicit(&taken, &free, 1, memory_order_acquire, memory_order_relaxed));
    atomic_store_explicit(&taken, 0, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, enter, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
