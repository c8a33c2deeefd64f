// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=locks
// hmc: --cat sc -- -DWRONG => violated kind=locks
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=locks
//
// A POSIX spin lock is given back that nobody holds.
#include <pthread.h>

static pthread_spinlock_t lock;

static void *first(void *arg) {
#ifndef WRONG
    pthread_spin_lock(&lock);
#endif
    pthread_spin_unlock(&lock); // HERE
    return arg;
}

static void *second(void *arg) {
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&lock, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
