// hmc: --symmetry off --cat sc,rc11 -- -DN=5 => holds executions=120 blocked=0
// hmc: --symmetry off --cat tso,imm,aarch64,lkmm -- -DN=5 => holds executions=120 blocked=0
// hmc: --symmetry off --cat tso,imm,aarch64,lkmm -- -DN=5 -DAGAIN => holds executions=120 blocked=0
// hmc: --symmetry off --cat tso,imm,aarch64,lkmm -- -DN=1 -DWRITES=5 => holds executions=6 blocked=0
// hmc: --symmetry off --cat sc,rc11 -- -DN=5 -DAGAIN => holds executions=120 blocked=0
// hmc: --symmetry off --cat sc,rc11 -- -DN=1 -DWRITES=5 => holds executions=6 blocked=0
// hmc: --symmetry off --retries all --cat sc,rc11,imm -- -DN=4 => holds executions=1536
//
// N threads add to a counter by compare-and-swap, until it succeeds. With WRITES, one thread writes so many values beside one that adds.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int x;

static void *add(void *arg) {
    (void)arg;
#ifdef AGAIN
    int r;
    do {
        r = atomic_load_explicit(&x, ORDER);
    } while (!atomic_compare_exchange_strong_explicit(&x, &r, r + 1, ORDER, ORDER));
#else
    int r = atomic_load_explicit(&x, ORDER);
    while (!atomic_compare_exchange_strong_explicit(&x, &r, r + 1, ORDER, ORDER))
        ;
#endif
    return 0;
}

#ifdef WRITES
static void *write_all(void *arg) {
    (void)arg;
    for (int i = 1; i <= WRITES; i++)
        atomic_store_explicit(&x, 10 * i, ORDER);
    return 0;
}
#endif

int main(void) {
    pthread_t t[N + 1];
    int n = N;
#ifdef WRITES
    pthread_create(&t[n++], 0, write_all, 0);
#endif
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], 0);
#ifndef WRITES
    assert(x == N);
#endif
    return 0;
}
