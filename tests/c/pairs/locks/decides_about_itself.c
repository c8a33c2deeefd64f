// hmc: --cat c11 --dependencies syntactic => holds executions=5 notes=1
// hmc: --cat lkmm --dependencies syntactic => holds executions=5 notes=1
// hmc: --cat c11 --dependencies syntactic -- -DWRONG => violated kind=locks
// hmc: --cat lkmm --dependencies syntactic -- -DWRONG => violated kind=locks
// hmc: --cat c11 --dependencies syntactic -- -DTWICE => violated kind=liveness
// hmc: --cat lkmm --dependencies syntactic -- -DTWICE => violated kind=liveness
//
// Both threads write a 1 because they read the other's, through no dependency that the models see. Exploration does not come to that execution; in what enumeration finds it was not
// known which of its writes are operations of a lock, so the misuse of one was not seen.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg) {
    int set = 0;
    if (atomic_load_explicit(&x, memory_order_relaxed))
        set = 1;
    atomic_store_explicit(&y, set, memory_order_relaxed);
    if (set) {
#ifndef WRONG
        pthread_mutex_lock(&mutex);
#endif
#ifdef TWICE
        pthread_mutex_lock(&mutex); // HERE
#endif
        pthread_mutex_unlock(&mutex); // HERE
    }
    return arg;
}

static void *other(void *arg) {
    int set = 0;
    if (atomic_load_explicit(&y, memory_order_relaxed))
        set = 1;
    atomic_store_explicit(&x, set, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0); // HERE
    pthread_join(b, 0);
    return 0;
}
