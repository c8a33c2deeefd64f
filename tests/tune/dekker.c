// The core of Dekker's algorithm (E. W. Dijkstra, EWD 123): who sees the other's flag stays out. The flag is looked at too weakly.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2];
static int counter;

static void attempt(int self)
{
    atomic_store_explicit(&flag[self], 1, memory_order_seq_cst);
    if (!atomic_load_explicit(&flag[1 - self], memory_order_acquire))
        counter++;
}

static void *first(void *unused)
{
    attempt(0);
    return unused;
}

static void *second(void *unused)
{
    attempt(1);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, first, 0);
    pthread_create(&q, 0, second, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
}
