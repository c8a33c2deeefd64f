// hmc: --cat sc,rc11,aarch64 => holds executions=2 blocked=0
// hmc: --cat sc,rc11,aarch64 -- -DBYTES=40 => holds executions=2 blocked=0
//
// Two threads take a mutex of the default kind: two executions, and an array of as many bytes as a mutex has is no mutex of another kind
// (the name of this file in an assertion was one, where the path to it had the length).
#include <assert.h>
#include <pthread.h>

#ifndef BYTES
#define BYTES 41
#endif

static const char text[BYTES] = "text";
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *increment(void *arg) {
    (void)arg;
    pthread_mutex_lock(&mutex);
    count += text[0] == 't';
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increment, 0);
    pthread_create(&b, 0, increment, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
