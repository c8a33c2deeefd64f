// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// A counter that one thread changes without the lock.
#include <pthread.h>

static DEFINE_SPINLOCK(lock);
static int count;

static void *first(void *arg) {
    spin_lock(&lock);
    count++; // HERE
    spin_unlock(&lock);
    return arg;
}

static void *second(void *arg) {
#ifndef WRONG
    spin_lock(&lock);
#endif
    count++; // HERE
#ifndef WRONG
    spin_unlock(&lock);
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
