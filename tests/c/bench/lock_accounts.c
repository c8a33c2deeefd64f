// hmc: --symmetry off --cat sc,tso,rc11 -- -DN=4 => holds executions=24 blocked=0
// hmc: --symmetry off --cat imm,aarch64,lkmm -- -DN=3 => holds executions=6 blocked=0
//
// N threads move money between A accounts, each of which has a lock: the one with the lower number is taken first.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef A
#define A 3
#endif

static pthread_mutex_t lock[A];
static int balance[A];

static void *transfer(void *arg) {
    int from = (int)(long)arg % A, to = (int)(long)(arg + 1) % A;
    int first = from < to ? from : to, second = from < to ? to : from;
    pthread_mutex_lock(&lock[first]);
    pthread_mutex_lock(&lock[second]);
    if (balance[from] > 0) {
        balance[from]--;
        balance[to]++;
    }
    pthread_mutex_unlock(&lock[second]);
    pthread_mutex_unlock(&lock[first]);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < A; i++) {
        pthread_mutex_init(&lock[i], 0);
        balance[i] = i % 2;
    }
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, transfer, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    int all = 0, first = 0;
    for (int i = 0; i < A; i++) {
        all += balance[i];
        first += i % 2;
    }
    assert(all == first);
    return 0;
}
