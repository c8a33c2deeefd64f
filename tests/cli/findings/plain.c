#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int ready, other;

static void *sender(void *unused) {
    message = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return 0;
}

static void *bystander(void *unused) {
    atomic_store_explicit(&other, 1, memory_order_relaxed);
    return 0;
}

static void *receiver(void *unused) {
    if (atomic_load_explicit(&ready, memory_order_acquire))
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
