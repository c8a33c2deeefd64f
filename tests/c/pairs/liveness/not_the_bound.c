// hmc: --cat rc11 --unroll 2 => bounded
// hmc: --cat lkmm --unroll 2 => bounded
// hmc: --cat rc11 --unroll 2 -- -DWRONG => violated kind=liveness
// hmc: --cat lkmm --unroll 2 -- -DWRONG => violated kind=liveness
//
// A loop that counts its rounds is cut at the bound, which says nothing of whether it ends; a wait for a flag that nobody sets never ends.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int rounds, flag;

static void *first(void *arg) {
#ifdef WRONG
    while (!atomic_load(&flag)) // HERE
        ;
#else
    while (!atomic_load(&flag))
        atomic_fetch_add(&rounds, 1);
#endif
    return arg;
}

static void *second(void *arg) {
#ifndef WRONG
    atomic_store(&flag, 1);
#endif
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0); // HERE
    pthread_join(b, 0);
    return 0;
}
