// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=liveness
// hmc: --cat sc -- -DWRONG => violated kind=liveness
// hmc: --cat lkmm => holds
// hmc: --cat c11 => holds executions=2 notes=1
// hmc: --cat lkmm -- -DWRONG => violated kind=liveness
//
// A signal before the wait is lost when the condition is not looked at under the lock.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *first(void *arg) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *second(void *arg) {
    pthread_mutex_lock(&mutex);
#ifdef WRONG
    pthread_cond_wait(&changed, &mutex); // HERE
#else
    while (!ready)
        pthread_cond_wait(&changed, &mutex);
#endif
    pthread_mutex_unlock(&mutex);
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
