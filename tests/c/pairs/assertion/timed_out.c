// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
// hmc: --cat sc -- -DWRONG => violated kind=assertion
//
// A thread that does not look whether its timed lock has timed out works without the lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside;

static void *other(void *arg) {
    struct timespec now = {0, 0};
    int late = pthread_mutex_timedlock(&lock, &now);
#ifndef WRONG
    if (late)
        return arg;
#endif
    assert(atomic_exchange(&inside, 1) == 0); // HERE
    atomic_store(&inside, 0);
    if (!late)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&lock);
    atomic_store(&inside, 1);
    atomic_store(&inside, 0);
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
