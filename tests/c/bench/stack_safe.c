// hmc: --cat sc -- -DN=2 => holds
// hmc: --cat tso -- -DN=2 => holds
// hmc: --cat c11 -- -DN=2 => holds executions=6 notes=0
//
// A stack in an array under a mutex: a pop happens only after a push.
// "stack" of the concurrency category of the software verification competition (SV-COMP).
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static int stack[N], top, pushed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *pusher(void *arg) {
    (void)arg;
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
        assert(top < N);
        stack[top++] = i;
        pushed = 1;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

static void *popper(void *arg) {
    (void)arg;
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
#ifdef UNSAFE
        if (pushed) {
#else
        if (top > 0) {
#endif
            assert(top > 0);
            top--;
            (void)stack[top];
        }
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pusher, 0);
    pthread_create(&b, 0, popper, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
