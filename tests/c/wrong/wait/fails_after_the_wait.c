// hmc: --cat sc => violated kind=assertion
// hmc: --cat rc11 => violated kind=assertion
// hmc: --cat c11 => violated kind=assertion
//
// An assertion fails after another thread has begun to wait for a value of a plain variable that is not there any more. C11 lets a plain read have only what
// is ordered before it, so there is no execution in which that thread reads something newer: when its wait is given up, the failure goes with it.
#include <assert.h>
#include <pthread.h>

static int y;

static void *fails(void *arg) {
    y = 1;
    int old = __atomic_exchange_n(&y, 0, __ATOMIC_RELEASE);
    int again = __atomic_exchange_n(&y, 0, __ATOMIC_RELEASE);
    assert(old + again == 2); // HERE
    return arg;
}

static void *spins(void *arg) {
    while (y != 1)
        ;
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, spins, 0);
    pthread_create(&threads[1], 0, fails, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
