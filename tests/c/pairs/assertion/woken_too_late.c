// hmc: --cat sc,rc11,imm => holds
// hmc: --cat sc,rc11,imm -- -DWRONG => violated kind=assertion
//
// What std::condition_variable::wait_for does: a wait has timed out when the clock says so behind it, also if a signal came. With WRONG that is taken to mean that nobody came.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *receiver(void *arg) {
    pthread_mutex_lock(&mutex);
    if (!ready) {
        struct timespec deadline, now;
        clock_gettime(CLOCK_MONOTONIC, &deadline);
        deadline.tv_sec += 5;
        int late = pthread_cond_timedwait(&changed, &mutex, &deadline);
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec < deadline.tv_sec)
            assert(!late);
#ifdef WRONG
        else
            assert(!ready); // HERE
#endif
    }
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, receiver, 0);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, 0);
    return 0;
}
