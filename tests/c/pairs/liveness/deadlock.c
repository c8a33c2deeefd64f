// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=liveness
// hmc: --cat sc -- -DWRONG => violated kind=liveness
// hmc: --cat tso -- -DWRONG => violated kind=liveness
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=liveness
//
// Two mutexes, taken in different orders.
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg) {
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two); // HERE
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    return arg;
}

static void *second(void *arg) {
#ifdef WRONG
    pthread_mutex_lock(&two);
    pthread_mutex_lock(&one); // HERE
    pthread_mutex_unlock(&one);
    pthread_mutex_unlock(&two);
#else
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
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
