// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=exit-code
// hmc: --cat sc -- -DWRONG => violated kind=exit-code
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=exit-code
//
// A thread ends the program with exit(1).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;

static void *first(void *arg) {
    atomic_store(&ready, 1);
    return arg;
}

static void *second(void *arg) {
#ifdef WRONG
    if (!atomic_load(&ready))
        exit(1); // HERE
#else
    while (!atomic_load(&ready))
        ;
#endif
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
