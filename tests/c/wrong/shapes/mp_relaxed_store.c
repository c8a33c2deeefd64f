// hmc: --cat sc => holds executions=2
// hmc: --cat tso => holds executions=2
// hmc: --cat ra => holds executions=2
// hmc: --cat pso => violated
// hmc: --cat rc11 => violated
// hmc: --cat imm => violated
//
// Message passing whose store is relaxed: nothing is published (and the accesses of data race).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *thread0(void *arg) {
    (void)arg;
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return 0;
}

static void *thread1(void *arg) {
    (void)arg;
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(data == 1);
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
