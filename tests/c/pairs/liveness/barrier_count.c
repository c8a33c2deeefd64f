// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=liveness
// hmc: --cat sc -- -DWRONG => violated kind=liveness
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=liveness
//
// A barrier counts a thread that never comes.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *first(void *arg) {
    pthread_barrier_wait(&barrier); // HERE
    return arg;
}

static void *second(void *arg) {
#ifndef WRONG
    pthread_barrier_wait(&barrier);
#endif
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0); // HERE
    pthread_join(b, 0);
    return 0;
}
