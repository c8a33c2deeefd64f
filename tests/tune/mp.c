// Message passing: the flag is published too weakly.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int ready;

static void *sender(void *unused)
{
    message = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

static void *receiver(void *unused)
{
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(message == 42);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, sender, 0);
    pthread_create(&q, 0, receiver, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
}
