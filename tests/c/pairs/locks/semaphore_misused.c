// hmc: --cat rc11,sc,lkmm,power => holds
// hmc: --cat rc11,sc,lkmm,power -- -DWRONG=1 => violated kind=locks
// hmc: --cat rc11,sc,lkmm,power -- -DWRONG=2 => violated kind=locks
// hmc: --cat rc11,sc,lkmm,power -- -DWRONG=3 => violated kind=locks
// hmc: --cat rc11,sc,lkmm,power -- -DWRONG=4 => violated kind=locks
//
// A semaphore has no static initialiser: using one before sem_init is an error also when it is in static memory.
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;

static void *sender(void *arg) {
    sem_post(&ready); // HERE
    return arg;
}

static void in_a_function(void) {
    sem_t own;
    sem_init(&own, 0, 1);
    sem_wait(&own);
    sem_destroy(&own);
}

int main(void) {
    in_a_function();
    in_a_function();
#if WRONG != 1
    sem_init(&ready, 0, 0);
#endif
#if WRONG == 2
    sem_init(&ready, 0, 0); // HERE
#endif
    pthread_t a;
    pthread_create(&a, 0, sender, 0);
    sem_wait(&ready); // HERE
    pthread_join(a, 0);
    sem_destroy(&ready);
#if WRONG == 3
    sem_destroy(&ready); // HERE
#elif WRONG == 4
    sem_post(&ready); // HERE
#endif
    return 0;
}
