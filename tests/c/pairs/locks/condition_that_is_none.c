// hmc: --cat sc,rc11 => holds
// hmc: --cat sc,rc11 -- -DWRONG => violated kind=locks
//
// A condition variable in allocated memory has to be initialised, whoever comes to it first.
#include <pthread.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int full;
};

static void *fills(void *arg) {
    struct box *box = arg;
    pthread_mutex_lock(&box->mutex);
    box->full = 1;
    pthread_cond_signal(&box->changed); // HERE
    pthread_mutex_unlock(&box->mutex);
    return 0;
}

int main(void) {
    struct box *box = malloc(sizeof *box);
    pthread_mutex_init(&box->mutex, 0);
#ifndef WRONG
    pthread_cond_init(&box->changed, 0);
#endif
    box->full = 0;
    pthread_t t;
    pthread_create(&t, 0, fills, box);
    pthread_mutex_lock(&box->mutex);
    while (!box->full)
        pthread_cond_wait(&box->changed, &box->mutex); // HERE
    pthread_mutex_unlock(&box->mutex);
    pthread_join(t, 0);
    free(box);
    return 0;
}
