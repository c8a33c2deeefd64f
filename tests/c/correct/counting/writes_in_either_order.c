// hmc: --cat tests/c/correct/counting/looks_back_in_program_order.cat => holds executions=87
//
// Under this model a write may come before another one of its thread in coherence that follows it in the program, or the other way round. Only in the second
// case is it forbidden to read the one and then the other.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&x, 3, memory_order_relaxed);
    return arg;
}

static void *reader(void *arg) {
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    void *(*run[])(void *) = {writer, reader};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, run[i], 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
