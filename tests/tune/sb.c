// Store buffering: each thread must see the other's write, or be seen. One access of four is too weak.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *left(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    a = atomic_load_explicit(&y, memory_order_seq_cst);
    return unused;
}

static void *right(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    b = atomic_load_explicit(&x, memory_order_seq_cst);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, left, 0);
    pthread_create(&q, 0, right, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(a || b);
}
