// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat lkmm => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=locks
// hmc: --cat sc -- -DWRONG => violated kind=locks
// hmc: --cat lkmm -- -DWRONG => violated kind=locks
//
// A thread gives a reader-writer lock back although its attempt to take it for reading failed: the writer loses it.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writer(void *arg) {
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *reader(void *arg) {
    int busy = pthread_rwlock_tryrdlock(&lock);
#ifdef WRONG
    (void)busy;
    pthread_rwlock_unlock(&lock); // HERE
#else
    if (!busy)
        pthread_rwlock_unlock(&lock);
#endif
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
