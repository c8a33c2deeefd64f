#include "flag.h"
#include <assert.h>
#include <pthread.h>

int message;
struct flag ready, other;

static void *sender(void *unused) {
    message = 42;
    flag_raise(&ready);
    return 0;
}

static void *bystander(void *unused) {
    flag_raise(&other);
    return 0;
}

static void *receiver(void *unused) {
    if (flag_is_raised(&ready))
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
