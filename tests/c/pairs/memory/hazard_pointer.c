// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
// hmc: --cat aarch64 => holds
// hmc: --cat sc -- -DWRONG => holds
// hmc: --cat tso -- -DWRONG => violated kind=memory
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat imm -- -DWRONG => violated kind=memory
// hmc: --cat aarch64 -- -DWRONG => violated kind=memory
//
// A hazard pointer that is announced without a full fence: who frees looks for it before it is there.
// M. M. Michael, "Hazard pointers: safe memory reclamation for lock-free objects", IEEE TPDS 15(6), 2004.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared, hazard;

static void *first(void *arg) {
    int *seen;
    do {
        seen = atomic_load_explicit(&shared, memory_order_acquire);
        atomic_store_explicit(&hazard, seen, memory_order_relaxed);
#ifndef WRONG
        atomic_thread_fence(memory_order_seq_cst);
#endif
    } while (atomic_load_explicit(&shared, memory_order_acquire) != seen);
    assert(*seen == 1 || *seen == 2); // HERE
    atomic_store_explicit(&hazard, 0, memory_order_release);
    return arg;
}

static void *second(void *arg) {
    int *new = malloc(sizeof *new);
    *new = 2;
    int *old = atomic_exchange_explicit(&shared, new, memory_order_acq_rel);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&hazard, memory_order_acquire) != old)
        free(old); // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    int *one = malloc(sizeof *one);
    *one = 1;
    atomic_store_explicit(&shared, one, memory_order_relaxed);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
