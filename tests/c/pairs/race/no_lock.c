// hmc: --cat rc11 => holds
// hmc: --cat c11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
// hmc: --cat c11 -- -DWRONG => violated kind=race
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// One of two threads does not take the lock.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *first(void *arg) {
    pthread_mutex_lock(&mutex);
    balance += 10; // HERE
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *second(void *arg) {
#ifdef WRONG
    balance += 5; // HERE
#else
    pthread_mutex_lock(&mutex);
    balance += 5;
    pthread_mutex_unlock(&mutex);
#endif
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
