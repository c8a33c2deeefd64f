// hmc: --cat sc -- -DN=3 => holds
//
// N threads write one variable that nobody reads: one execution when coherence is not observed, N! when it is told apart.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *writer(void *arg) {
    atomic_store_explicit(&x, (int)(long)arg, memory_order_relaxed);
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
