// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat aarch64 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat tso -- -DWRONG => violated kind=memory
// hmc: --cat aarch64 -- -DWRONG => violated kind=memory
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
// hmc: --cat imm => holds
// hmc: --cat imm -- -DWRONG => violated kind=memory
//
// The owner frees while a reader may still look: a flag that the reader does not wait for orders nothing.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;
static atomic_int done;

static void *first(void *arg) {
    int *p = atomic_load_explicit(&shared, memory_order_acquire);
    int seen = atomic_load_explicit((_Atomic int *)p, memory_order_relaxed); // HERE
    (void)seen;
    atomic_store_explicit(&done, 1, memory_order_release);
    return arg;
}

static void *second(void *arg) {
#ifndef WRONG
    while (!atomic_load_explicit(&done, memory_order_acquire))
        ;
#endif
    free(atomic_load_explicit(&shared, memory_order_relaxed)); // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    int *p = malloc(sizeof *p);
    *p = 1;
    atomic_init(&shared, p);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
