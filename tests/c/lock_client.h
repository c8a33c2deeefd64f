// T threads increment a plain counter in the critical section of a lock; with the lock's `lock(i)` and `unlock(i)` defined before.
#include <assert.h>
#include <pthread.h>

#ifndef T
#define T 2
#endif

static int counter;

static void *client(void *arg) {
    int me = (int)(long)arg;
    lock(me);
    counter++;
    unlock(me);
    return 0;
}

int main(void) {
    pthread_t t[T];
    for (long i = 0; i < T; i++)
        pthread_create(&t[i], 0, client, (void *)i);
    for (int i = 0; i < T; i++)
        pthread_join(t[i], 0);
    assert(counter == T);
    return 0;
}
