// hmc: --cat sc,rc11 => holds
// hmc: --cat imm => violated
// hmc: --cat imm -- -DN=1 => holds
//
// Load buffering between N threads that run the same code: what one thread by itself cannot do, two can.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int x, y;
static int a[2], b[2];

static void *both(void *arg) {
    int me = (int)(long)arg;
    a[me] = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, me + 1, memory_order_relaxed);
    b[me] = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, me + 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, both, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(!(a[0] == 2 && b[1] == 1));
    return 0;
}
