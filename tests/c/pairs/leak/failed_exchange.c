// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => holds warning=leak
// hmc: --cat sc -- -DWRONG => holds warning=leak
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => holds warning=leak
//
// The loser of a race to publish does not free its own object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *first(void *arg) {
    int *mine = malloc(sizeof *mine), *expected = 0; // HERE
    if (!atomic_compare_exchange_strong(&shared, &expected, mine)) {
#ifndef WRONG
        free(mine);
#endif
    }
    return arg;
}

static void *second(void *arg) {
    return first(arg);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
