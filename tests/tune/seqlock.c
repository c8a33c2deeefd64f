// A sequence lock (H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012): the last write ends too weakly.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, a, b;

static void *writer(void *unused)
{
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    atomic_store_explicit(&b, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused)
{
    int before = atomic_load_explicit(&sequence, memory_order_acquire);
    int first = atomic_load_explicit(&a, memory_order_relaxed);
    int second = atomic_load_explicit(&b, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    int after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == after && before % 2 == 0) {
        assert(first == second);
        assert(before == 0 || first == 1);
    }
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, writer, 0);
    pthread_create(&q, 0, reader, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
}
