// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds executions=2 blocked=4
// hmc: --cat imm => holds
//
// Sequence lock: a reader retries when a writer was there; data are relaxed atomics.
// H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012, figure 6.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef READ_FENCE
#define READ_FENCE() atomic_thread_fence(memory_order_acquire)
#endif

static atomic_uint seq;
static atomic_int a, b;

static void *writer(void *arg) {
    (void)arg;
    unsigned s = atomic_load_explicit(&seq, memory_order_relaxed);
    atomic_store_explicit(&seq, s + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    atomic_store_explicit(&b, 1, memory_order_relaxed);
    atomic_store_explicit(&seq, s + 2, memory_order_release);
    return 0;
}

static void *reader(void *arg) {
    (void)arg;
    unsigned before, after;
    int u, v;
    do {
        before = atomic_load_explicit(&seq, memory_order_acquire);
        u = atomic_load_explicit(&a, memory_order_relaxed);
        v = atomic_load_explicit(&b, memory_order_relaxed);
        READ_FENCE();
        after = atomic_load_explicit(&seq, memory_order_relaxed);
    } while ((before & 1) || before != after);
    assert(u == v);
    return 0;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    return 0;
}
