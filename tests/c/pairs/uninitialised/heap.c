// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=uninitialised
// hmc: --cat sc -- -DWRONG => violated kind=uninitialised
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=uninitialised
//
// A member of a heap object is read before it is set.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value, next;
};

static atomic_int sum;

static void *first(void *arg) {
    struct node *n = malloc(sizeof *n);
    n->value = 1;
#ifndef WRONG
    n->next = 0;
#endif
    atomic_fetch_add(&sum, n->next); // HERE
    free(n);
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
