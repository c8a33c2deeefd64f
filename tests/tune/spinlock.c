// A test-and-set lock: it is released too weakly.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked;
static int counter;

static void lock(void)
{
    while (atomic_exchange_explicit(&locked, 1, memory_order_acquire))
        ;
}

static void unlock(void)
{
    atomic_store_explicit(&locked, 0, memory_order_relaxed);
}

static void *worker(void *unused)
{
    lock();
    counter++;
    unlock();
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, worker, 0);
    pthread_create(&q, 0, worker, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
}
