// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=uninitialised
// hmc: --cat sc -- -DWRONG => violated kind=uninitialised
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=uninitialised
//
// Copying a structure with padding is right; reading what was copied over nothing is not.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct padded {
    char c;
    long l;
};

static atomic_long sum;

static void *first(void *arg) {
    struct padded *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->c = 1;
    a->l = 2;
#ifndef WRONG
    memcpy(b, a, sizeof *a);
#endif
    atomic_fetch_add(&sum, b->l); // HERE
    free(a);
    free(b);
    return arg;
}

static void *second(void *arg) {
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
