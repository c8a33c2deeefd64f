// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
// hmc: --cat sc -- -DWRONG => violated kind=assertion
//
// What another thread does before one ends the program can go wrong; what it does once it has seen that thread end cannot.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *ends_all(void *arg) {
    atomic_store(&x, 1);
    exit(0);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, ends_all, 0);
#ifndef WRONG
    pthread_join(t, 0);
#endif
    assert(atomic_load(&x) == 0); // HERE
    return 0;
}
