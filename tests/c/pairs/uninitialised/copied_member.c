// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=uninitialised
// hmc: --cat sc -- -DWRONG => violated kind=uninitialised
//
// A member that was never written stays so when the structure is copied.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value, next;
};

static void *nothing(void *arg) {
    return arg;
}

int main(void) {
    pthread_t thread;
    struct node *n = malloc(sizeof *n), *m = malloc(sizeof *m);
    n->value = 1;
#ifndef WRONG
    n->next = 2;
#endif
    *m = *n;
    int sum = m->value + m->next; // HERE
    pthread_create(&thread, 0, nothing, 0);
    pthread_join(thread, 0);
    free(n);
    free(m);
    return sum == 7;
}
