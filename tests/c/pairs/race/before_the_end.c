// hmc: --cat rc11 => holds
// hmc: --cat c11 => holds
// hmc: --cat lkmm => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
// hmc: --cat c11 -- -DWRONG => violated kind=race
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// A race with a thread that never comes to its end, because `main` returns.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never;
static int data;

static void *spin(void *arg) {
#ifdef WRONG
    data = 2; // HERE
#endif
    while (!atomic_load_explicit(&never, memory_order_relaxed))
        ;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    pthread_detach(t);
    data = 1; // HERE
    return 0;
}
