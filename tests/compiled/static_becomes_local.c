// Two threads run `meet`, which alone uses the static variable `last`. Both store to it before either reads it, so they read the same.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int last;
static atomic_int here[2];
int saw[2];

static void *meet(void *arg)
{
    int me = (int)(long)arg;
    atomic_store(&last, me);
    atomic_store(&here[me], 1);
    while (!atomic_load(&here[1 - me]))
        ;
    saw[me] = atomic_load(&last);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, meet, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
