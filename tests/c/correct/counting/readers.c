// hmc: --cat sc -- -DN=5 => holds executions=32
// hmc: --cat tso -- -DN=5 => holds executions=32
// hmc: --cat pso -- -DN=5 => holds executions=32
// hmc: --cat ra -- -DN=5 => holds executions=32
// hmc: --cat rc11 -- -DN=5 => holds executions=32
// hmc: --cat imm -- -DN=5 => holds executions=32
// hmc: --cat rc11 -- -DN=10 => holds executions=1024
//
// One writer and N readers of one variable: each reader sees the old or the new value, 2^N executions.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 15
#endif

static atomic_int x;

static void *reader(void *arg) {
    (void)arg;
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

static void *writer(void *arg) {
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t w, r[N];
    pthread_create(&w, 0, writer, 0);
    for (int i = 0; i < N; i++)
        pthread_create(&r[i], 0, reader, 0);
    pthread_join(w, 0);
    for (int i = 0; i < N; i++)
        pthread_join(r[i], 0);
    return 0;
}
