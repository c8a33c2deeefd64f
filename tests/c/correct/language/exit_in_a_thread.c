// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
// hmc: --cat c11 => holds
// hmc: --cat lkmm => holds
// hmc: --cat sc -- -DDEADLOCK => holds
// hmc: --cat rc11 -- -DDEADLOCK => holds
//
// A thread that calls `exit` ends the program: no join returns after that, and nobody waits for ever. (Ended as one thread only, it let `main` go on
// to what cannot be reached.)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *ends_all(void *arg) {
    exit(0);
    return arg;
}

#ifdef DEADLOCK
static void *first(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    return arg;
}

static void *second(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    return arg;
}
#endif

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, ends_all, 0);
#ifdef DEADLOCK
    pthread_create(&t[1], 0, first, 0);
    pthread_create(&t[2], 0, second, 0);
#endif
    pthread_join(t[0], 0);
    assert(0);
}
