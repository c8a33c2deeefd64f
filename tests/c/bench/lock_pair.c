// hmc: --symmetry off --cat sc,tso,rc11,imm,aarch64 -- -DN=4 => holds executions=24 blocked=0
//
// N threads add to two counters under one lock.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void *add(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    a++;
    b++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(a == N && b == N);
    return 0;
}
