// hmc: --cat rc11 --unroll 2 => bounded
// hmc: --cat rc11 -- -DWRONG => violated kind=locks
// hmc: --cat sc --properties locks -- -DWRONG => violated kind=locks
// hmc: --cat imm --properties locks -- -DWRONG => violated kind=locks
//
// A thread unlocks what it has not locked, beside a thread that never ends.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int beats;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *heart(void *arg) {
    for (;;)
        atomic_fetch_add(&beats, 1);
    return arg;
}

static void *worker(void *arg) {
#ifndef WRONG
    pthread_mutex_lock(&mutex);
#endif
    pthread_mutex_unlock(&mutex); // HERE
    return arg;
}

int main(void) {
    pthread_t h, w;
    pthread_create(&h, 0, heart, 0);
    pthread_create(&w, 0, worker, 0);
    pthread_join(w, 0);
    return 0;
}
