// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
//
// A timed lock is taken in time, or not at all.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *writer(void *arg) {
    struct timespec time = {0};
    int result = pthread_rwlock_timedwrlock(&lock, &time);
    assert(result == 0 || result == ETIMEDOUT);
#ifndef WRONG
    if (result) return arg;
#endif
    x++; // HERE
    if (!result) pthread_rwlock_unlock(&lock);
    return arg;
}

static void *reader(void *arg) {
    struct timespec time = {0};
    int result = pthread_rwlock_timedrdlock(&lock, &time);
    if (result) return arg;
    assert(x == 0 || x == 1); // HERE
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
