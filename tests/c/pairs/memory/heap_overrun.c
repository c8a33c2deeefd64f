// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
//
// A write just behind a heap block.
#include <pthread.h>
#include <stdlib.h>

static void *first(void *arg) {
#ifdef WRONG
    int *p = malloc(2 * sizeof *p);
#else
    int *p = malloc(3 * sizeof *p);
#endif
    p[2] = 1; // HERE
    free(p);
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
