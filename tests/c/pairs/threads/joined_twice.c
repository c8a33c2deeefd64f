// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=threads
// hmc: --cat sc -- -DWRONG => violated kind=threads
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=threads
//
// A thread is joined twice.
#include <pthread.h>

static void *first(void *arg) {
    return arg;
}

static void *second(void *arg) {
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0); // HERE
#ifdef WRONG
    pthread_join(a, 0); // HERE
    pthread_join(b, 0);
#else
    pthread_join(b, 0);
#endif
    return 0;
}
