// hmc: --cat sc => holds executions=15
// hmc: --cat tso => holds executions=15
// hmc: --cat pso => holds executions=15
// hmc: --cat ra => holds executions=15
// hmc: --cat rc11 => holds executions=15
// hmc: --cat imm => holds executions=15
//
// Independent reads of independent writes: with full fences all threads agree on the order of the writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b, c, d;

static void *thread0(void *arg) {
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_release);
    return 0;
}

static void *thread1(void *arg) {
    (void)arg;
    a = atomic_load_explicit(&x, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    b = atomic_load_explicit(&y, memory_order_acquire);
    return 0;
}

static void *thread2(void *arg) {
    (void)arg;
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static void *thread3(void *arg) {
    (void)arg;
    c = atomic_load_explicit(&y, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    d = atomic_load_explicit(&x, memory_order_acquire);
    return 0;
}

int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], 0, thread0, 0);
    pthread_create(&t[1], 0, thread1, 0);
    pthread_create(&t[2], 0, thread2, 0);
    pthread_create(&t[3], 0, thread3, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(!(a == 1 && b == 0 && c == 1 && d == 0));
    return 0;
}
