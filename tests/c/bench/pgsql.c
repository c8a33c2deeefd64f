// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat tso -- -DNO_FENCE => holds
// hmc: --cat pso -- -DNO_FENCE => violated
//
// The latch protocol of PostgreSQL: two workers hand a flag to each other through latches; each may only work when its flag is set.
// J. Alglave, D. Kroening, V. Nimal, M. Tautschnig, "Software verification for weak memory via program transformation", ESOP 2013,
// section 5 (the bug on Power: the write of the flag must not overtake that of the latch).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef L
#define L 1
#endif
#ifdef NO_FENCE
#define FENCE() ((void)0)
#else
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif

static atomic_int latch[2] = {1, 0}, flag[2] = {1, 0};

static void *worker(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
    for (int i = 0; i < L; i++) {
        while (!atomic_load_explicit(&latch[me], memory_order_acquire))
            ;
        assert(atomic_load_explicit(&flag[me], memory_order_relaxed)); // HERE
        atomic_store_explicit(&latch[me], 0, memory_order_relaxed);
        FENCE();
        atomic_store_explicit(&flag[me], 0, memory_order_relaxed);
        atomic_store_explicit(&flag[other], 1, memory_order_relaxed);
        FENCE();
        atomic_store_explicit(&latch[other], 1, memory_order_relaxed);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0);
    pthread_create(&b, 0, worker, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
