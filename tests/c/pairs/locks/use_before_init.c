// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=locks
// hmc: --cat sc -- -DWRONG => violated kind=locks
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=locks
//
// A mutex in heap memory is locked before it is initialised.
#include <pthread.h>
#include <stdlib.h>

static struct box {
    pthread_mutex_t mutex;
    int value;
} *box;

static void *first(void *arg) {
    pthread_mutex_lock(&box->mutex); // HERE
    pthread_mutex_unlock(&box->mutex);
    return arg;
}

static void *second(void *arg) {
    return arg;
}

int main(void) {
    pthread_t a, b;
    box = malloc(sizeof *box);
#ifndef WRONG
    pthread_mutex_init(&box->mutex, 0);
#endif
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(box);
    return 0;
}
