// hmc: --cat sc,aarch64 => bounded executions=33 notes=2
// hmc: --cat sc,rc11,c11,imm,aarch64,power,lkmm -- -DWRONG => violated kind=assertion
// hmc: --cat sc --unroll 2 => bounded executions=3 notes=1
//
// A flag that is polled under a lock: no round changes anything in the end, but each takes and gives the lock. Depth-first, the search never comes out of that loop.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, value;

static void *producer(void *arg) {
#ifndef WRONG
    value = 7;
#endif
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *poller(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int seen = done;
        pthread_mutex_unlock(&lock);
        if (seen)
            break;
    }
    assert(value == 7); // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, poller, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
