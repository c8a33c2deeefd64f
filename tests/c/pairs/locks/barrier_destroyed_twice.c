// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=locks
// hmc: --cat sc -- -DWRONG => violated kind=locks
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=locks
//
// A barrier is destroyed twice.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *first(void *arg) {
    pthread_barrier_wait(&barrier);
    return arg;
}

static void *second(void *arg) {
    pthread_barrier_wait(&barrier);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_barrier_destroy(&barrier);
#ifdef WRONG
    pthread_barrier_destroy(&barrier); // HERE
#endif
    return 0;
}
