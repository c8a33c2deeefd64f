// hmc: --cat sc,rc11,lkmm,aarch64 => holds
// hmc: --cat sc,rc11,lkmm,aarch64 -- -DWRONG => violated kind=assertion
//
// A wait may end without a signal, and a signal may wake more than one: who waits has to look again.
#include <assert.h>
#include <pthread.h>

#ifdef WRONG
#define UNTIL_NOT if
#else
#define UNTIL_NOT while
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *first(void *arg) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *second(void *arg) {
    pthread_mutex_lock(&mutex);
    UNTIL_NOT(!ready) {
        pthread_cond_wait(&changed, &mutex);
    }
    assert(ready); // HERE
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
