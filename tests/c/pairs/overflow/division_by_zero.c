// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=arithmetic
// hmc: --cat sc -- -DWRONG => violated kind=arithmetic
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=arithmetic
//
// The divisor may still be 0.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor;
static int result;

static void *first(void *arg) {
    atomic_store(&divisor, 2);
    return arg;
}

static void *second(void *arg) {
    int d = atomic_load(&divisor);
#ifndef WRONG
    if (d == 0)
        return arg;
#endif
    result = 10 / d; // HERE
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
