// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=uninitialised
// hmc: --cat sc -- -DWRONG => violated kind=uninitialised
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=uninitialised
// hmc: --cat sc --cut bytes => holds
// hmc: --cat sc --cut bytes -- -DWRONG => violated kind=uninitialised
//
// main reads a heap object before any thread exists.
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *first(void *arg) {
    return arg;
}

static void *second(void *arg) {
    return arg;
}

int main(void) {
    pthread_t a, b;
#ifdef WRONG
    shared = malloc(sizeof *shared);
#else
    shared = calloc(1, sizeof *shared);
#endif
    int start = *shared; // HERE
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(shared);
    return start == 1;
}
