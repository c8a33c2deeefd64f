// hmc: --cat sc,tso,rc11,c11,imm,lkmm,aarch64 => violated kind=assertion
// hmc: --cat sc,rc11 -- -DWITHOUT => violated kind=assertion
//
// One thread fails an assertion, and an assumption behind it; another one fails an assumption behind an exchange. That thread's own write was taken for one that overtakes what it has
// read, and the execution was given up: the program held.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_int x, y;

static void *fails(void *arg) {
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    assert(seen != 2); // HERE
#ifndef WITHOUT
    __VERIFIER_assume(!seen);
#endif
    return arg;
}

static void *stops(void *arg) {
    int seen = atomic_exchange(&y, 1);
    __VERIFIER_assume(seen == 2);
    return arg;
}

static void *writes(void *arg) {
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, fails, 0);
    pthread_create(&b, 0, stops, 0);
    pthread_create(&c, 0, writes, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
