// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
//
// One of the threads at a barrier, whichever it is, is told to serve for all: each may be that one, but no two are.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t both;
static int served;

static void *first(void *arg) {
#ifdef WRONG
    pthread_barrier_wait(&both);
    served = 1; // HERE
#else
    if (pthread_barrier_wait(&both) == PTHREAD_BARRIER_SERIAL_THREAD)
        served++;
#endif
    return arg;
}

static void *second(void *arg) {
    if (pthread_barrier_wait(&both) == PTHREAD_BARRIER_SERIAL_THREAD)
        served++; // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifndef WRONG
    assert(served == 1);
#endif
    return 0;
}
