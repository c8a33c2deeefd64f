// A ticket lock (J. Mellor-Crummey, M. Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors", 1991): a waiting thread looks
// too weakly at whose turn it is.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next, serving;
static int counter;

static void lock(void)
{
    int ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_relaxed) != ticket)
        ;
}

static void unlock(void)
{
    int now = atomic_load_explicit(&serving, memory_order_relaxed);
    atomic_store_explicit(&serving, now + 1, memory_order_release);
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
