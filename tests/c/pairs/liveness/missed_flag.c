// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat power => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=liveness
// hmc: --cat sc -- -DWRONG => violated kind=liveness
// hmc: --cat power -- -DWRONG => violated kind=liveness
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=liveness
//
// A thread waits for a value that is never written.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;

static void *first(void *arg) {
#ifdef WRONG
    atomic_store(&state, 1);
#else
    atomic_store(&state, 2);
#endif
    return arg;
}

static void *second(void *arg) {
    while (atomic_load(&state) != 2) // HERE
        ;
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
