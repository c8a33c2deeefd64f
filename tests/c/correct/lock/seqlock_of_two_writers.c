// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
// hmc: --cat aarch64 => holds
// hmc: --cat sc -- -DNO_FENCE => holds
// hmc: --cat tso -- -DNO_FENCE => holds
// hmc: --cat rc11 -- -DNO_FENCE => violated
// hmc: --cat imm -- -DNO_FENCE => violated
// hmc: --cat aarch64 -- -DNO_FENCE => violated
//
// A sequence lock whose writers exclude each other with its own counter: the compare-and-swap that makes it odd orders nothing
// that comes before a write of the data in the other direction, so a release fence has to stand behind it.
// H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint count;
static atomic_int x, y;

static void *writer(void *arg) {
    int value = *(int *)arg;
    unsigned even = atomic_load_explicit(&count, memory_order_relaxed);
    while (even & 1 || !atomic_compare_exchange_strong_explicit(&count, &even, even + 1, memory_order_acquire, memory_order_relaxed))
        even = atomic_load_explicit(&count, memory_order_relaxed);
#ifndef NO_FENCE
    atomic_thread_fence(memory_order_release);
#endif
    atomic_store_explicit(&x, value, memory_order_relaxed);
    atomic_store_explicit(&y, value, memory_order_relaxed);
    atomic_store_explicit(&count, even + 2, memory_order_release);
    return 0;
}

static void *reader(void *arg) {
    unsigned before = atomic_load_explicit(&count, memory_order_acquire);
    int a = atomic_load_explicit(&x, memory_order_relaxed), b = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    if (!(before & 1) && atomic_load_explicit(&count, memory_order_relaxed) == before)
        assert(a == b);
    return arg;
}

int main(void) {
    int values[] = {1, 2};
    pthread_t a, b, c;
    pthread_create(&a, 0, writer, &values[0]);
    pthread_create(&b, 0, writer, &values[1]);
    pthread_create(&c, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(atomic_load_explicit(&count, memory_order_relaxed) == 4);
    return 0;
}
