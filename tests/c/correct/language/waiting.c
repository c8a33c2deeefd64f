// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
//
// Waiting: a condition variable and a barrier.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t meet;
static int full, value, left, right;

static void *producer(void *arg) {
    pthread_mutex_lock(&lock);
    value = 42;
    full = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    left = 1;
    pthread_barrier_wait(&meet);
    assert(right == 1);
    return arg;
}

static void *consumer(void *arg) {
    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&ready, &lock);
    assert(value == 42);
    pthread_mutex_unlock(&lock);
    right = 1;
    pthread_barrier_wait(&meet);
    assert(left == 1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&meet, 0, 2);
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
