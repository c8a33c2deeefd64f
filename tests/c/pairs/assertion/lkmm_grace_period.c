// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=assertion
//
// An updater that does not wait for a grace period.
#include <pthread.h>

static int removed, freed;

static void *first(void *arg) {
    rcu_read_lock();
    int f = READ_ONCE(freed);
    int r = READ_ONCE(removed);
    rcu_read_unlock();
    BUG_ON(f && !r); // HERE
    return arg;
}

static void *second(void *arg) {
    WRITE_ONCE(removed, 1);
#ifndef WRONG
    synchronize_rcu();
#endif
    WRITE_ONCE(freed, 1);
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
