// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat aarch64 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=liveness
// hmc: --cat sc -- -DWRONG => violated kind=liveness
// hmc: --cat aarch64 -- -DWRONG => violated kind=liveness
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=liveness
//
// The flag may be overwritten before the waiting thread sees it.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;

static void *first(void *arg) {
    atomic_store(&state, 1);
#ifdef WRONG
    atomic_store(&state, 0);
#endif
    return arg;
}

static void *second(void *arg) {
    while (atomic_load(&state) != 1) // HERE
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
