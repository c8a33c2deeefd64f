// G. L. Peterson, "Myths about the mutual exclusion problem", 1981: a thread raises its flag too weakly.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn;
static int counter;

static void section(int self)
{
    atomic_store_explicit(&flag[self], 1, memory_order_release);
    atomic_store_explicit(&turn, 1 - self, memory_order_seq_cst);
    while (atomic_load_explicit(&flag[1 - self], memory_order_seq_cst)
           && atomic_load_explicit(&turn, memory_order_seq_cst) == 1 - self)
        ;
    counter++;
    atomic_store_explicit(&flag[self], 0, memory_order_release);
}

static void *first(void *unused)
{
    section(0);
    return unused;
}

static void *second(void *unused)
{
    section(1);
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
