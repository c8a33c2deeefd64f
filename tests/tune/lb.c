// Load buffering, with a plain cell on each side: a slot is written again once its reader is done with it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int slot;
static atomic_int taken;

static void *reader(void *unused)
{
    int value = slot;
    atomic_store_explicit(&taken, 1, memory_order_release);
    assert(value == 0);
    return unused;
}

static void *writer(void *unused)
{
    if (atomic_load_explicit(&taken, memory_order_relaxed))
        slot = 1;
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, reader, 0);
    pthread_create(&q, 0, writer, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
}
