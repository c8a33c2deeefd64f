// hmc: --cat sc => violated kind=assertion
// hmc: --cat tso => violated kind=assertion
// hmc: --cat ra => violated kind=assertion
// hmc: --cat rc11 => violated kind=assertion
// hmc: --cat imm => violated kind=assertion
// hmc: --cat c11 => violated kind=assertion
// hmc: --cat lkmm => violated kind=assertion
// hmc: --cat aarch64 => violated kind=assertion
// hmc: --cat sc -- -DTWO => violated kind=assertion
// hmc: --cat rc11 -- -DTWO => violated kind=assertion
// hmc: --cat c11 -- -DTWO => violated kind=assertion
// hmc: --cat lkmm -- -DTWO => violated kind=assertion
// hmc: --cat sc -- -DASSUMED => violated kind=assertion
// hmc: --cat c11 -- -DASSUMED => violated kind=assertion
//
// The value that makes the assertion fail makes the loop go round as well, and is overwritten when the reader comes to look. Such a round leads nowhere, but it
// must not be given up before the assertion was seen to fail.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_int x, y;

static void *writer(void *arg) {
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static void *reader(void *arg) {
    (void)arg;
    int seen;
#if defined TWO
    int then;
    do {
        seen = atomic_load_explicit(&x, memory_order_relaxed);
        then = atomic_load_explicit(&y, memory_order_relaxed);
        assert(seen != 1); // HERE
    } while (seen != 2 || then != 1);
#elif defined ASSUMED
    seen = atomic_load_explicit(&x, memory_order_relaxed);
    assert(seen != 1); // HERE
    __VERIFIER_assume(seen == 2);
#else
    while ((seen = atomic_load_explicit(&x, memory_order_relaxed)) != 2)
        assert(seen != 1); // HERE
#endif
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
