// hmc: --cat sc => holds executions=2
// hmc: --cat rc11 => holds executions=2
//
// A write behind a barrier depends on all that came before the barrier in any thread: these events stay when it revisits a read.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static pthread_barrier_t meet;

static void *reader(void *arg) {
    (void)atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}

static void *arrives(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    pthread_barrier_wait(&meet);
    return arg;
}

static void *goes_on(void *arg) {
    pthread_barrier_wait(&meet);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t threads[3];
    void *(*run[])(void *) = {reader, arrives, goes_on};
    pthread_barrier_init(&meet, 0, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, run[i], 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
