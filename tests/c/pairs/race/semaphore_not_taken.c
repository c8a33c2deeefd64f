// hmc: --cat rc11 => holds
// hmc: --cat c11 => holds
// hmc: --cat lkmm => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
// hmc: --cat c11 -- -DWRONG => violated
// hmc: --cat lkmm -- -DWRONG => violated
//
// A try that fails, and a look at the value, order nothing.
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int data;

static void *sender(void *arg) {
    data = 1; // HERE
    sem_post(&ready); // HERE
    return arg;
}

static void *receiver(void *arg) {
#ifdef WRONG
    int value;
    sem_getvalue(&ready, &value); // HERE
    if (value == 1)
        data = 2; // HERE
#else
    if (sem_trywait(&ready) == 0)
        data = 2;
#endif
    return arg;
}

int main(void) {
    sem_init(&ready, 0, 0);
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0); // HERE
    pthread_create(&b, 0, receiver, 0); // HERE
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
