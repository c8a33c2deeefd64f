// hmc: --cat sc -- -DN=3 => holds executions=6
// hmc: --cat tso -- -DN=3 => holds executions=6
// hmc: --cat pso -- -DN=3 => holds executions=6
// hmc: --cat ra -- -DN=3 => holds executions=6
// hmc: --cat rc11 -- -DN=3 => holds executions=6
// hmc: --cat imm -- -DN=3 => holds executions=6
// hmc: --cat rc11 -- -DN=5 => holds executions=120 up-to-renaming=1
// hmc: --cat sc,tso,ra,rc11 -- -DN=8 => holds executions=40320 up-to-renaming=1 blocked=0
// hmc: --cat rc11 --symmetry off -- -DN=4 => holds executions=24
//
// N threads increment one counter once, atomically: N! executions, one for each order, and one up to renaming.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *increment(void *arg) {
    (void)arg;
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, increment, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(atomic_load(&x) == N);
    return 0;
}
