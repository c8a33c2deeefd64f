// hmc: --cat sc => holds executions=3
// hmc: --cat tso => holds executions=3
// hmc: --cat ra => holds executions=3
// hmc: --cat pso => violated
// hmc: --cat rc11 => violated
// hmc: --cat imm => violated
//
// Message passing with atomic accesses that order nothing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;

static void *thread0(void *arg) {
    (void)arg;
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return 0;
}

static void *thread1(void *arg) {
    (void)arg;
    int seen = atomic_load_explicit(&flag, memory_order_relaxed);
    int value = atomic_load_explicit(&data, memory_order_relaxed);
    assert(!seen || value == 1);
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, thread0, 0);
    pthread_create(&t[1], 0, thread1, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
