// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => holds warning=never-joined
// hmc: --cat sc -- -DWRONG => holds warning=never-joined
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => holds warning=never-joined
//
// A thread that nobody joins (a warning).
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *first(void *arg) {
    atomic_store(&done, 1);
    return arg;
}

static void *second(void *arg) {
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0); // HERE
    pthread_create(&b, 0, second, 0);
#ifndef WRONG
    pthread_join(a, 0);
#endif
    pthread_join(b, 0);
    return 0;
}
