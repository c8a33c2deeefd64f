// Message passing in the kernel: nothing orders the two writes.
#include <assert.h>
#include <pthread.h>

static int message, ready;

static void *sender(void *unused)
{
    WRITE_ONCE(message, 42);
    WRITE_ONCE(ready, 1);
    return unused;
}

static void *receiver(void *unused)
{
    if (smp_load_acquire(&ready))
        assert(READ_ONCE(message) == 42);
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
