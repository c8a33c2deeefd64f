// hmc: --cat sc => holds executions=3
// hmc: --cat tso => violated
// hmc: --cat pso => violated
// hmc: --cat ra => violated
// hmc: --cat rc11 => violated
// hmc: --cat imm => violated
//
// Store buffering without the fences of ../../correct/shapes/sb.c.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *thread0(void *arg) {
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

static void *thread1(void *arg) {
    (void)arg;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, thread0, 0);
    pthread_create(&t[1], 0, thread1, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(a == 1 || b == 1);
    return 0;
}
