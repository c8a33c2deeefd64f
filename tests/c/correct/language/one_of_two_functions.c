// hmc: --cat sc => holds executions=3
// hmc: --cat rc11 => holds executions=3
// hmc: --cat imm => holds executions=3 notes=0
// hmc: --cat c11 => holds executions=4 notes=0
// hmc: --cat lkmm => holds executions=4 notes=0
// hmc: --cat aarch64 => holds executions=3
// hmc: --cat c11 -- -DORDERED => holds executions=3 notes=0 blocked=0
// hmc: --cat lkmm -- -DORDERED => holds executions=3 notes=0 blocked=0
// hmc: --cat c11 -- -DGIVEN => holds executions=3 notes=0 blocked=0
// hmc: --cat lkmm -- -DGIVEN => holds executions=3 notes=0 blocked=0
//
// A thread calls one of two functions for what it has read. One orders the read before the write, the other does not, so that both threads may read what they write last. With ORDERED both do, and with GIVEN the one that
// does not is called by nobody but a thread that comes later.
#include <pthread.h>
#include <stdatomic.h>

typedef void function(void);

static atomic_int x, y, z;

static void fenced(void) {
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
}

static void plain(void) {
#ifdef ORDERED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    atomic_store_explicit(&y, 1, memory_order_relaxed);
}

#ifndef GIVEN
static function *const table[2] = {fenced, plain};

static void *caller(void *arg) {
    table[atomic_load_explicit(&x, memory_order_relaxed)]();
    return arg;
}
#else
static void call(function *given) {
    given();
}

static void *caller(void *arg) {
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    call(fenced);
    return arg;
}

static void *last(void *arg) {
    call(plain);
    return arg;
}
#endif

static void *other(void *arg) {
    (void)atomic_load_explicit(&y, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, caller, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifdef GIVEN
    pthread_create(&a, 0, last, 0);
    pthread_join(a, 0);
#endif
    return 0;
}
