// hmc: --cat sc -- -DN=2 => holds executions=4
// hmc: --cat tso -- -DN=2 => holds executions=4
// hmc: --cat pso -- -DN=2 => holds executions=4
// hmc: --cat ra -- -DN=2 => holds executions=4
// hmc: --cat rc11 -- -DN=2 => holds executions=4
// hmc: --cat imm -- -DN=2 => holds executions=4
// hmc: --cat rc11 -- -DN=3 => holds executions=36
// hmc: --cat lkmm -- -DN=3 => holds executions=36 notes=0
//
// N threads increment one counter, wait for all at a barrier, and increment another: (N!)^2 executions. The order in which threads
// arrive at a barrier cannot be seen and makes no execution of its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x, y;
static pthread_barrier_t barrier;

static void *increment(void *arg) {
    (void)arg;
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    pthread_barrier_wait(&barrier);
    assert(atomic_load_explicit(&x, memory_order_relaxed) == N);
    atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t t[N];
    pthread_barrier_init(&barrier, 0, N);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, increment, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(atomic_load(&y) == N);
    return 0;
}
