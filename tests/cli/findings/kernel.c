#include <assert.h>
#include <pthread.h>

int message, ready, other;

static void *sender(void *unused) {
    message = 42;
    WRITE_ONCE(ready, 1);
    return 0;
}

static void *bystander(void *unused) {
    WRITE_ONCE(other, 1);
    return 0;
}

static void *receiver(void *unused) {
    if (smp_load_acquire(&ready))
        assert(message == 42);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, sender, 0);
    pthread_create(&threads[1], 0, bystander, 0);
    pthread_create(&threads[2], 0, receiver, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
}
