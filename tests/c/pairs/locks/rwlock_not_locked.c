// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
// hmc: --cat sc -- -DWRONG => violated kind=locks
// hmc: --cat rc11 -- -DWRONG => violated kind=locks
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=locks
//
// A reader-writer lock is given back that nobody holds.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *first(void *arg) {
    pthread_rwlock_wrlock(&lock);
    value = 1;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *second(void *arg) {
#ifndef WRONG
    pthread_rwlock_rdlock(&lock);
#endif
    pthread_rwlock_unlock(&lock); // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
