// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds executions=4 blocked=2
// hmc: --cat imm => holds
//
// Dekker's mutual exclusion for two threads.
// E. W. Dijkstra, "Cooperating sequential processes", EWD 123, 1965.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef FENCE
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif

static atomic_int wants[2], turn;
static int inside;

static void *contend(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
    atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
    FENCE();
    while (atomic_load_explicit(&wants[other], memory_order_acquire)) {
        if (atomic_load_explicit(&turn, memory_order_acquire) != me) {
            atomic_store_explicit(&wants[me], 0, memory_order_relaxed);
            while (atomic_load_explicit(&turn, memory_order_acquire) != me)
                ;
            atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
            FENCE();
        }
    }
    inside = me;
    assert(inside == me);
    atomic_store_explicit(&turn, other, memory_order_release);
    atomic_store_explicit(&wants[me], 0, memory_order_release);
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
