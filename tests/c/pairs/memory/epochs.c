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
// Memory that is freed when no reader is in an older epoch. A reader has to announce its epoch before it looks.
// K. Fraser, "Practical lock freedom", PhD thesis, Cambridge 2003.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int epoch = 1, announced; // 0: the reader is outside.
static _Atomic(int *) shared;

static void *first(void *arg) {
    atomic_store_explicit(&announced, atomic_load_explicit(&epoch, memory_order_relaxed), memory_order_relaxed);
#ifndef WRONG
    atomic_thread_fence(memory_order_seq_cst);
#endif
    int *seen = atomic_load_explicit(&shared, memory_order_acquire);
    assert(*seen == 1 || *seen == 2); // HERE
    atomic_store_explicit(&announced, 0, memory_order_release);
    return arg;
}

static void *second(void *arg) {
    int *new = malloc(sizeof *new);
    *new = 2;
    int *old = atomic_exchange_explicit(&shared, new, memory_order_acq_rel);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&announced, memory_order_acquire)) {
        atomic_store_explicit(&epoch, 2, memory_order_relaxed);
        while (atomic_load_explicit(&announced, memory_order_acquire))
            ;
    }
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
    free(atomic_load_explicit(&shared, memory_order_relaxed));
    return 0;
}
