// hmc: --symmetry off --cat sc,tso,rc11 -- -DN=5 => holds executions=30 blocked=0
// hmc: --symmetry off --cat imm,aarch64,lkmm -- -DN=4 => holds executions=14 blocked=0
// hmc: --cat sc,rc11,imm -- -DRING => violated
//
// N philosophers: each takes the fork of the lower number first, so that they never wait for each other for ever. With RING, each takes the one on its left first.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t fork_at[N];
static int uses[N];

static void *eat(void *arg) {
    int left = (int)(long)arg, right = (left + 1) % N;
#ifdef RING
    int first = left, second = right;
#else
    int first = left < right ? left : right, second = left < right ? right : left;
#endif
    pthread_mutex_lock(&fork_at[first]);
    pthread_mutex_lock(&fork_at[second]);
    uses[left]++;
    uses[right]++;
    pthread_mutex_unlock(&fork_at[second]);
    pthread_mutex_unlock(&fork_at[first]);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_at[i], 0);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, eat, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < N; i++)
        assert(uses[i] == 2);
    return 0;
}
