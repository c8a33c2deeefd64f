// A ring of one producer and one consumer (L. Lamport, "Specifying concurrent program modules", 1983): the tail is published too weakly.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 1

static int ring[SLOTS];
static atomic_int head, tail;

static int put(int value)
{
    int t = atomic_load_explicit(&tail, memory_order_relaxed);
    if (t - atomic_load_explicit(&head, memory_order_acquire) == SLOTS)
        return 0;
    ring[t % SLOTS] = value;
    atomic_store_explicit(&tail, t + 1, memory_order_relaxed);
    return 1;
}

static int take(int *value)
{
    int h = atomic_load_explicit(&head, memory_order_relaxed);
    if (atomic_load_explicit(&tail, memory_order_acquire) == h)
        return 0;
    *value = ring[h % SLOTS];
    atomic_store_explicit(&head, h + 1, memory_order_release);
    return 1;
}

static void *producer(void *unused)
{
    put(1);
    put(2);
    return unused;
}

int main(void)
{
    pthread_t p;
    int value;
    pthread_create(&p, 0, producer, 0);
    if (take(&value))
        assert(value == 1);
    pthread_join(p, 0);
}
