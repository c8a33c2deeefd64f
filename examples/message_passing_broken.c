// One thread writes a message and then raises a flag; another waits for the flag and reads the message.
// The store is relaxed: nothing orders the message before the flag, and hmc shows an execution in which that matters.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int ready;

void *sender(void *unused)
{
    message = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return 0;
}

void *receiver(void *unused)
{
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    assert(message == 42);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
