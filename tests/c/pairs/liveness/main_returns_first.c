// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat lkmm => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=liveness
// hmc: --cat sc -- -DWRONG => violated kind=liveness
// hmc: --cat lkmm -- -DWRONG => violated kind=liveness
//
// The program ends when `main` returns, whatever a thread still waits for; where `main` leaves by pthread_exit, it does not.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never;

static void *spin(void *arg) {
    while (!atomic_load(&never)) // HERE
        ;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    pthread_detach(t);
#ifdef WRONG
    pthread_exit(0);
#endif
    return 0;
}
