// hmc: --cat rc11 => holds
// hmc: --cat aarch64 => holds
// hmc: --cat rc11 -- -DWRONG => violated
// hmc: --cat rc11 --properties uninitialised -- -DWRONG => violated kind=uninitialised
// hmc: --cat aarch64 -- -DWRONG => violated kind=uninitialised
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=uninitialised
//
// An object is published before its member is set, under a model that lets the reader see that.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) shared;
#ifdef WRONG
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static void *first(void *arg) {
    atomic_int *p = malloc(sizeof *p);
    atomic_store_explicit(p, 1, memory_order_relaxed);
    atomic_store_explicit(&shared, p, RELEASE);
    return arg;
}

static void *second(void *arg) {
    atomic_int *p = atomic_load_explicit(&shared, memory_order_acquire);
    if (p) {
        int seen = atomic_load_explicit(p, memory_order_relaxed); // HERE
        (void)seen;
    }
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
