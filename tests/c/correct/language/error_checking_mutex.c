// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
//
// An error-checking mutex gives errors where others wait for ever or must not be unlocked. (It was locked again as if it were recursive.)
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;

static void *other(void *arg) {
    assert(pthread_mutex_unlock(&m) == EPERM);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    return arg;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &kind);
    assert(pthread_mutex_unlock(&m) == EPERM);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == EDEADLK);
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == EPERM);
    return 0;
}
