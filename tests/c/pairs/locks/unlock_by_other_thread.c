// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=locks
// hmc: --cat sc -- -DWRONG => violated kind=locks
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=locks
//
// A mutex is unlocked by another thread than the one that locked it.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int locked;

static void *first(void *arg) {
    pthread_mutex_lock(&mutex);
    atomic_store(&locked, 1);
#ifndef WRONG
    pthread_mutex_unlock(&mutex);
#endif
    return arg;
}

static void *second(void *arg) {
    while (!atomic_load(&locked))
        ;
#ifdef WRONG
    pthread_mutex_unlock(&mutex); // HERE
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
