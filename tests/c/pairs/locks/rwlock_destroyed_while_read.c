// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat lkmm => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=locks
// hmc: --cat sc -- -DWRONG => violated kind=locks
// hmc: --cat lkmm -- -DWRONG => violated kind=locks
//
// Two threads read under a reader-writer lock; one of them keeps it, and main destroys it.
#include <pthread.h>

static pthread_rwlock_t lock;
static int value, seen[2];

static void *first(void *arg) {
    pthread_rwlock_rdlock(&lock);
    seen[0] = value;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *second(void *arg) {
    pthread_rwlock_rdlock(&lock);
    seen[1] = value;
#ifndef WRONG
    pthread_rwlock_unlock(&lock);
#endif
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_rwlock_init(&lock, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_rwlock_destroy(&lock); // HERE
    return 0;
}
