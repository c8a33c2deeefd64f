// hmc: --cat tests/c/correct/counting/atomic_if_seq_cst.cat => holds executions=30
//
// What an increment allows by itself depends on its memory order: others may come between a relaxed one and what it reads, under this model.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *sequential(void *arg) {
    atomic_fetch_add(&x, 1);
    return arg;
}

static void *relaxed(void *arg) {
    atomic_fetch_add_explicit(&x, 2, memory_order_relaxed);
    return arg;
}

static void *twice(void *arg) {
    atomic_store(&x, 5);
    atomic_store(&x, 6);
    return arg;
}

int main(void) {
    pthread_t threads[3];
    void *(*run[])(void *) = {twice, sequential, relaxed};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, run[i], 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
