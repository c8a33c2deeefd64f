// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => holds warning=leak
// hmc: --cat sc -- -DWRONG => holds warning=leak
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => holds warning=leak
//
// Memory that nobody frees (a warning).
#include <pthread.h>
#include <stdlib.h>

static void *first(void *arg) {
    int *p = malloc(sizeof *p); // HERE
    *p = 1;
#ifndef WRONG
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
