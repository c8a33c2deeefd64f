// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=locks
// hmc: --cat sc -- -DWRONG => violated kind=locks
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=locks
//
// A recursive mutex is unlocked by a thread that has not locked it.
#include <pthread.h>

static pthread_mutex_t mutex;

static void *first(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
#ifdef WRONG
    pthread_mutex_unlock(&mutex); // HERE
#endif
    return arg;
}

static void *second(void *arg) {
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
