// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat lkmm => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=locks
// hmc: --cat sc -- -DWRONG => violated kind=locks
// hmc: --cat lkmm -- -DWRONG => violated kind=locks
//
// A reader-writer lock that one thread has taken for reading is given back by another, which holds nothing.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;
static atomic_int locked;

static void *first(void *arg) {
    pthread_rwlock_rdlock(&lock);
    int seen = value;
    atomic_store(&locked, 1 + seen);
#ifndef WRONG
    pthread_rwlock_unlock(&lock);
#endif
    return arg;
}

static void *second(void *arg) {
    while (!atomic_load(&locked))
        ;
#ifdef WRONG
    pthread_rwlock_unlock(&lock); // HERE
#endif
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
