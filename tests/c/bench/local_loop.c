// hmc: --cat sc -- -DL=1000 => holds executions=3
//
// Store buffering with L rounds of local work before each access: the work is done once, whatever the number of executions.
#include <pthread.h>
#include <stdatomic.h>

#ifndef L
#define L 10000
#endif

static atomic_int x, y;

static int work(int seed) {
    for (int i = 0; i < L; i++)
        seed = seed * 1103515245 + 12345 & 0x7fffffff;
    return seed & 0;
}

static void *left(void *arg) {
    (void)arg;
    atomic_store_explicit(&x, 1 + work(1), memory_order_relaxed);
    return (void *)(long)atomic_load_explicit(&y, memory_order_relaxed);
}

static void *right(void *arg) {
    (void)arg;
    atomic_store_explicit(&y, 1 + work(2), memory_order_relaxed);
    return (void *)(long)atomic_load_explicit(&x, memory_order_relaxed);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
