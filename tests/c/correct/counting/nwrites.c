// hmc: --cat sc -- -DN=6 => holds executions=1
// hmc: --cat tso -- -DN=6 => holds executions=1
// hmc: --cat rc11 -- -DN=6 => holds executions=1
// hmc: --cat imm -- -DN=6 => holds executions=1
//
// N threads each write a variable of their own: one execution.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 6
#endif

static atomic_int x[N];

static void *writer(void *arg) {
    atomic_store_explicit(&x[(long)arg], 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, writer, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
