// hmc: --cat sc => violated kind=assertion
// hmc: --cat rc11 => violated kind=assertion
// hmc: --cat c11 => violated kind=assertion
//
// An assertion fails in every execution, while another thread spins on a plain variable. C11 lets a plain read have only what is ordered before
// it, so the thread waits for ever with its old value: a wait that is given up because there is a newer one takes the failure with it.
#include <assert.h>
#include <pthread.h>

static int y;

static void *fails(void *arg) {
    y = 1;
    int old = __atomic_exchange_n(&y, 0, __ATOMIC_RELEASE);
    assert(old == 2); // HERE
    return arg;
}

static void *spins(void *arg) {
    while (y != 1)
        ;
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, fails, 0);
    pthread_create(&threads[1], 0, spins, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
