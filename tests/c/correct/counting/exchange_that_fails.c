// hmc: --cat tests/c/correct/counting/coherent_if_seq_cst.cat => holds executions=156
//
// Which memory order a compare-and-exchange has depends on what it reads: a failing one is relaxed, and may read something old under this model.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *one(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return arg;
}

static void *two(void *arg) {
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return arg;
}

static void *three(void *arg) {
    atomic_store_explicit(&x, 3, memory_order_relaxed);
    return arg;
}

static void *exchange(void *arg) {
    int expected = 1;
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    atomic_compare_exchange_strong_explicit(&x, &expected, 4, memory_order_seq_cst, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t threads[4];
    void *(*run[])(void *) = {one, two, three, exchange};
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, run[i], 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return 0;
}
