// hmc: --cat sc,rc11,lkmm,aarch64 => holds
// hmc: --cat sc,rc11,lkmm,aarch64 -- -DWRONG => violated kind=liveness
//
// A signal may wake one waiter only, so two that wait for the same thing need a broadcast. (Each signal woke all, and WRONG held.)
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int open;

static void *passes(void *arg) {
    pthread_mutex_lock(&mutex);
    while (!open)
        pthread_cond_wait(&changed, &mutex); // HERE
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, passes, 0);
    pthread_create(&b, 0, passes, 0);
    pthread_mutex_lock(&mutex);
    open = 1;
#ifdef WRONG
    pthread_cond_signal(&changed);
#else
    pthread_cond_broadcast(&changed);
#endif
    pthread_mutex_unlock(&mutex);
    pthread_join(a, 0); // HERE
    pthread_join(b, 0); // HERE
    return 0;
}
