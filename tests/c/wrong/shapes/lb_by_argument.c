// hmc: --cat sc,rc11 => holds
// hmc: --cat imm => violated
// hmc: --cat imm -- -DSECOND=memory_order_acquire => holds
//
// Load buffering through a function that is told how to read: one of two acquiring loads is not enough.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SECOND
#define SECOND memory_order_relaxed
#endif

static atomic_int x, y;
static int a, b;

static int pass(atomic_int *from, atomic_int *to, memory_order order) {
    int seen = atomic_load_explicit(from, order);
    atomic_store_explicit(to, 1, memory_order_relaxed);
    return seen;
}

static void *thread0(void *arg) {
    a = pass(&x, &y, memory_order_acquire);
    return arg;
}

static void *thread1(void *arg) {
    b = pass(&y, &x, SECOND);
    return arg;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, thread0, 0);
    pthread_create(&t[1], 0, thread1, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(!(a == 1 && b == 1));
    return 0;
}
