// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=threads
// hmc: --cat sc -- -DWRONG => violated kind=threads
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=threads
//
// The last thread is joined twice.
#include <pthread.h>

static void *first(void *arg) {
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, first, 0);
    pthread_join(a, 0);
#ifdef WRONG
    pthread_join(a, 0); // HERE
#endif
    return 0;
}
