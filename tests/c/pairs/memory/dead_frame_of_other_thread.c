// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat tso -- -DWRONG => violated kind=memory
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
// hmc: --cat imm => holds
// hmc: --cat imm -- -DWRONG => violated kind=memory
// hmc: --cat aarch64 => holds
// hmc: --cat aarch64 -- -DWRONG => violated kind=memory
//
// A thread gives away the address of its local variable and may return before it is used.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(_Atomic int *) shared;
static atomic_int done;

static void *first(void *arg) {
    atomic_int local = 1;
    atomic_store(&shared, &local);
#ifndef WRONG
    while (!atomic_load(&done))
        ;
#endif
    return arg; // HERE
}

static void *second(void *arg) {
    _Atomic int *p = atomic_load(&shared);
    if (p)
        atomic_store_explicit(p, 2, memory_order_relaxed); // HERE
    atomic_store(&done, 1);
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
