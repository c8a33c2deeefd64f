// hmc: --cat sc => holds executions=3
// hmc: --cat tso => holds executions=3
// hmc: --cat pso => holds executions=3
// hmc: --cat ra => holds executions=3
// hmc: --cat rc11 => holds executions=3
// hmc: --cat imm => holds executions=3
//
// Store buffering with full fences: one of the threads sees the other's write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *thread0(void *arg) {
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

static void *thread1(void *arg) {
    (void)arg;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
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
