// hmc: --cat sc -- -DN=2 => holds
// hmc: --cat tso -- -DN=2 => holds
// hmc: --symmetry off --cat c11,rc11 -- -DN=4 => holds executions=1764 blocked=0
// hmc: --cat sc -- -DN=2 -DLIMIT=8 => violated
// hmc: --symmetry off --cat c11,imm,lkmm -- -DN=2 => holds executions=20 notes=0
//
// Two threads add each other's variable to their own N times: the largest value is a Fibonacci number.
// "fib_bench" of the concurrency category of the software verification competition (SV-COMP).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif
#ifndef LIMIT
#define LIMIT 100000
#endif

static atomic_int i = 1, j = 1;

static int get(atomic_int *p) { return atomic_load_explicit(p, memory_order_relaxed); }
static void set(atomic_int *p, int v) { atomic_store_explicit(p, v, memory_order_relaxed); }

static void *first(void *arg) {
    (void)arg;
    for (int k = 0; k < N; k++)
        set(&i, get(&i) + get(&j));
    return 0;
}

static void *second(void *arg) {
    (void)arg;
    for (int k = 0; k < N; k++)
        set(&j, get(&j) + get(&i));
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(get(&i) < LIMIT && get(&j) < LIMIT);
    return 0;
}
