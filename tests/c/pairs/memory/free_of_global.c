// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
//
// free of a global variable.
#include <pthread.h>
#include <stdlib.h>

static int global;

static void *first(void *arg) {
#ifdef WRONG
    int *p = &global;
#else
    int *p = malloc(sizeof *p);
#endif
    *p = 1;
    free(p); // HERE
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
