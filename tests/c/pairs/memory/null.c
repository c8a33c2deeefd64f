// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat aarch64 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat aarch64 -- -DWRONG => violated kind=memory
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
//
// A pointer is used before another thread has set it.
#include <pthread.h>
#include <stdatomic.h>

static int object;
static _Atomic(int *) shared;

static void *first(void *arg) {
    atomic_store(&shared, &object);
    return arg;
}

static void *second(void *arg) {
    int *p = atomic_load(&shared);
#ifndef WRONG
    if (!p)
        return arg;
#endif
    *p = 1; // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
