// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=locks
// hmc: --cat sc -- -DWRONG => violated kind=locks
// hmc: --cat rc11 -- -DALLOCATED => holds
// hmc: --cat rc11 -- -DALLOCATED -DWRONG => violated kind=locks
//
// A mutex that a thread makes, in a variable or allocated memory, is locked before anything is written to it.
#include <pthread.h>
#include <stdlib.h>

#ifdef WRONG
#define INITIALISE(mutex) (void)0
#else
#define INITIALISE(mutex) (mutex) = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER
#endif

static void *work(void *arg) {
#ifdef ALLOCATED
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    INITIALISE(*mutex);
    pthread_mutex_lock(mutex); // HERE
    pthread_mutex_unlock(mutex);
    free(mutex);
#else
    pthread_mutex_t mutex;
    INITIALISE(mutex);
    pthread_mutex_lock(&mutex); // HERE
    pthread_mutex_unlock(&mutex);
#endif
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
