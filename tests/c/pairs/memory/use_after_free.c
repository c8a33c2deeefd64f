// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat power => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat power -- -DWRONG => violated kind=memory
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
//
// The object is used after free, in one thread.
#include <pthread.h>
#include <stdlib.h>

static void *first(void *arg) {
    int *p = malloc(sizeof *p);
    *p = 1;
#ifdef WRONG
    free(p);
    *p = 2; // HERE
#else
    *p = 2;
    free(p);
#endif
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
