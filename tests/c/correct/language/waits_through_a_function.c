// hmc: --cat sc,rc11 => holds executions=2
// hmc: --cat sc,rc11 -- -DITSELF => holds executions=4
// hmc: --cat sc,rc11 -- -DWEAK => holds executions=2
//
// A wait, or a weak compare-and-exchange, in a function that is called in a loop, or that calls itself, may come again: it does not end or fail by itself, or there would be no end of executions. (With
// ITSELF, the first wait is in no call of the function by itself yet.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static atomic_int count;

#ifdef WEAK
static int tries(int expected) {
    return atomic_compare_exchange_weak(&count, &expected, expected + 1);
}

static void *first(void *arg) {
    while (!tries(atomic_load(&count)))
        ;
    return arg;
}

static void *second(void *arg) {
    return first(arg);
}
#else
static void *first(void *arg) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void naps(void) {
    pthread_cond_wait(&changed, &mutex);
}

#ifdef ITSELF
static void waits(void) {
    if (!ready) {
        naps();
        waits();
    }
}
#else
static void waits(void) {
    while (!ready)
        naps();
}
#endif

static void *second(void *arg) {
    pthread_mutex_lock(&mutex);
    waits();
    pthread_mutex_unlock(&mutex);
    return arg;
}
#endif

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifdef WEAK
    assert(count == 2);
#endif
    return 0;
}
