// hmc: --cat sc,rc11,lkmm => holds
// hmc: --cat sc,rc11,lkmm -- -DWRONG => violated kind=liveness
//
// Producers and consumers of one item wait at one condition variable: a signal that is meant for one of a kind may wake one of the other, which waits again.
#include <pthread.h>

#ifdef WRONG
#define WAKE pthread_cond_signal
#else
#define WAKE pthread_cond_broadcast
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void *consumer(void *arg) {
    pthread_mutex_lock(&mutex);
    while (!full)
        pthread_cond_wait(&changed, &mutex); // HERE
    full = 0;
    WAKE(&changed);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *producer(void *arg) {
    pthread_mutex_lock(&mutex);
    while (full)
        pthread_cond_wait(&changed, &mutex); // HERE
    full = 1;
    WAKE(&changed);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, i < 2 ? consumer : producer, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0); // HERE
    return 0;
}
