// hmc: --symmetry off --cat sc,tso,rc11,imm,aarch64 -- -DN=4 => holds executions=24 blocked=0
// hmc: --symmetry off --cat sc,rc11,imm -- -DN=2 -DR=2 => holds executions=6 blocked=0
// hmc: --symmetry off --cat lkmm -- -DN=4 => holds executions=24 blocked=0
// hmc: --cat rc11,lkmm -- -DN=3 => holds
//
// N threads add to a counter under one lock, R times each.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef R
#define R 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *arg) {
    (void)arg;
    for (int i = 0; i < R; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(counter == N * R);
    return 0;
}
