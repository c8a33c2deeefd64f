// hmc: --symmetry off --cat sc,tso,rc11 -- -DN=4 => holds executions=24 blocked=0
// hmc: --symmetry off --cat imm,aarch64,lkmm -- -DN=4 => holds executions=24 blocked=0
// hmc: --cat sc,rc11,imm -- -DRING => violated
//
// N threads go hand over hand along L locks and add to a cell under each. With RING, each begins at a lock of its own and goes round: they may wait for each other for ever.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef L
#define L 3
#endif

static pthread_mutex_t lock[L];
static int cell[L];

static void *walk(void *arg) {
#ifdef RING
    int at = (int)(long)arg % L;
#else
    int at = 0;
    (void)arg;
#endif
    pthread_mutex_lock(&lock[at]);
    for (int i = 0; i < L; i++) {
        cell[at]++;
        int next = (at + 1) % L;
        if (i + 1 < L)
            pthread_mutex_lock(&lock[next]);
        pthread_mutex_unlock(&lock[at]);
        at = next;
    }
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < L; i++)
        pthread_mutex_init(&lock[i], 0);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, walk, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < L; i++)
        assert(cell[i] == N);
    return 0;
}
