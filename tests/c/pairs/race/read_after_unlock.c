// hmc: --cat rc11 => holds
// hmc: --cat c11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
// hmc: --cat c11 -- -DWRONG => violated kind=race
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// The shared variable is read again after the lock was given back.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int queue, sum;

static void *first(void *arg) {
    pthread_mutex_lock(&mutex);
    queue = 7; // HERE
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *second(void *arg) {
    pthread_mutex_lock(&mutex);
    int mine = queue;
    pthread_mutex_unlock(&mutex);
#ifdef WRONG
    mine = queue; // HERE
#endif
    sum += mine;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
