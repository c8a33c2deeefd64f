// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
// hmc: --cat lkmm => holds
// hmc: --cat sc -- -DKINDS => holds
//
// Timed waits end, one way or the other: no lock that is never free and no signal that never comes makes them wait for ever. A mutex that is free is
// locked.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *other(void *arg) {
    struct timespec now = {0, 0};
    assert(pthread_mutex_timedlock(&held, &now) == ETIMEDOUT);
    assert(pthread_mutex_timedlock(&own, &now) == 0);
    int result;
    do
        result = pthread_cond_timedwait(&never, &own, &now);
    while (!result);
    assert(result == ETIMEDOUT);
    pthread_mutex_unlock(&own);
    return arg;
}

int main(void) {
#ifdef KINDS
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&held, &kind);
#endif
    pthread_mutex_lock(&held);
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    struct timespec now = {0, 0};
    assert(pthread_mutex_timedlock(&held, &now) == ETIMEDOUT);
    pthread_mutex_unlock(&held);
    return 0;
}
