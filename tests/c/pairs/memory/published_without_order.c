// hmc: --cat rc11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat c11 -- -DWRONG => violated kind=memory
// hmc: --cat imm -- -DWRONG => violated kind=memory
// hmc: --cat rc11 -- -DON_STACK => holds
// hmc: --cat rc11 -- -DON_STACK -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => holds
// hmc: --cat aarch64 -- -DWRONG => holds
//
// A thread writes to memory that another one has allocated, or has as a variable, and nothing orders the one before the other. Machines order the two by the
// address, so models without a happens-before of their own have nothing to say.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WRONG
#define STORED memory_order_relaxed
#else
#define STORED memory_order_release
#endif

static _Atomic(atomic_int *) shared;
static atomic_int done;

static void *first(void *arg) { // HERE
#ifdef ON_STACK
    atomic_int own; // HERE
    atomic_int *p = &own;
#else
    atomic_int *p = malloc(sizeof *p); // HERE
#endif
    atomic_store_explicit(&shared, p, STORED);
    while (!atomic_load_explicit(&done, memory_order_acquire))
        ;
    return arg;
}

static void *second(void *arg) {
    atomic_int *p = atomic_load_explicit(&shared, memory_order_acquire);
    if (p)
        atomic_store_explicit(p, 18, memory_order_relaxed); // HERE
    atomic_store_explicit(&done, 1, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifndef ON_STACK
    free(atomic_load(&shared));
#endif
    return 0;
}
