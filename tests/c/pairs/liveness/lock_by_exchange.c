// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat lkmm => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=liveness
// hmc: --cat sc -- -DWRONG => violated kind=liveness
// hmc: --cat imm -- -DWRONG => violated kind=liveness
// hmc: --cat lkmm -- -DWRONG => violated kind=liveness
// hmc: --cat rc11 -- -DWRONG -DOR => violated kind=liveness
// hmc: --cat sc -- -DWRONG -DOR => violated kind=liveness
// hmc: --cat rc11 -- -DWRONG -DPEELED => violated kind=liveness
// hmc: --cat imm -- -DWRONG -DPEELED => violated kind=liveness
//
// Threads that wait write what is there: each round of one comes behind a round of another in coherence, and nothing changes.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int data;

static void lock(void) {
#if defined OR
    while (atomic_fetch_or(&taken, 1)) // HERE
        ;
#elif defined PEELED
    int seen = atomic_exchange(&taken, 1); // HERE
    while (seen) // HERE
        seen = atomic_exchange(&taken, 1); // HERE
#else
    while (atomic_exchange(&taken, 1)) // HERE
        ;
#endif
}

static void *worker(void *arg) {
    lock();
    data++;
#ifndef WRONG
    atomic_store(&taken, 0);
#endif
    return arg;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 2; i >= 0; i--)
        pthread_join(t[i], 0);
    return 0;
}
