// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
//
// Peterson's mutual exclusion for two threads.
// G. L. Peterson, "Myths about the mutual exclusion problem", Information Processing Letters 12(3), 1981.
// Two full fences: after the flag (so that turn does not overtake it) and after turn (before the other's state is read).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef FENCE
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif
#ifndef N
#define N 1
#endif

static atomic_int flag[2], turn;
static int inside;

static void *contend(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
    for (int i = 0; i < N; i++) {
        atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
        FENCE();
        atomic_store_explicit(&turn, other, memory_order_relaxed);
        FENCE();
        while (atomic_load_explicit(&flag[other], memory_order_acquire) &&
               atomic_load_explicit(&turn, memory_order_acquire) == other)
            ;
        inside = me;
        assert(inside == me);
        atomic_store_explicit(&flag[me], 0, memory_order_release);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, contend, (void *)0);
    pthread_create(&b, 0, contend, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
