// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=locks
// hmc: --cat sc -- -DWRONG => violated kind=locks
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=locks
//
// A mutex is destroyed while it is held.
#include <pthread.h>

static pthread_mutex_t mutex;

static void *first(void *arg) {
    pthread_mutex_lock(&mutex);
#ifndef WRONG
    pthread_mutex_unlock(&mutex);
#endif
    return arg;
}

static void *second(void *arg) {
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_mutex_init(&mutex, 0);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_destroy(&mutex); // HERE
    return 0;
}
