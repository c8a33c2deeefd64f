// hmc: --cat sc -- => holds executions=37
// hmc: --cat rc11 -- => holds executions=37
// hmc: --cat sc -- -DOPT => holds executions=37
// hmc: --cat rc11 -- -DOPT => holds executions=183
// hmc: --cat imm -- -DOPT => holds executions=183
//
// Clients of Treiber's stack. A thread is given by three numbers: it pushes so often, then pops so often, then pushes so often again. Each
// push or pop is tried once: it may lose to another thread. What was pushed is popped at most once. With OPT, orders are weaker than
// that needs, and only the number of executions is of interest.
// R. K. Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986; the clients are those that C. Pulte and others,
// "Promising-ARM/RISC-V", PLDI 2019, made known.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS {{2, 1, 0}, {0, 1, 1}, {0, 0, 0}}
#endif
#ifdef OPT
#define ACQUIRE memory_order_relaxed
#define RELEASE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#endif
#define N 3
#define EACH 4

struct cell {
    atomic_int value;
    _Atomic(struct cell *) below;
};

static const int work[N][3] = THREADS;
static struct cell cells[N * EACH];
static _Atomic(struct cell *) top;

static struct cell *get(_Atomic(struct cell *) *p) { return atomic_load_explicit(p, memory_order_relaxed); }

static int push(int value) {
    struct cell *mine = &cells[value];
    atomic_store_explicit(&mine->value, value, memory_order_relaxed);
    struct cell *old = get(&top);
    atomic_store_explicit(&mine->below, old, memory_order_relaxed);
    return atomic_compare_exchange_strong_explicit(&top, &old, mine, memory_order_release, memory_order_relaxed);
}

// A set of values: the one that was popped, or none.
static long pop(void) {
    struct cell *old = atomic_load_explicit(&top, ACQUIRE);
    if (!old)
        return 0;
    int value = atomic_load_explicit(&old->value, memory_order_relaxed);
    struct cell *below = get(&old->below);
    return atomic_compare_exchange_strong_explicit(&top, &old, below, RELEASE, memory_order_relaxed) ? 1L << value : 0;
}

static void *client(void *arg) {
    int me = (int)(long)arg, value = me * EACH + 1;
    long popped = 0;
    for (int i = 0; i < work[me][0]; i++)
        push(value++);
    for (int i = 0; i < work[me][1]; i++)
        popped += pop();
    for (int i = 0; i < work[me][2]; i++)
        push(value++);
    return (void *)popped;
}

int main(void) {
    pthread_t t[N];
    long all = 0;
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, client, (void *)i);
    for (int i = 0; i < N; i++) {
        void *popped;
        pthread_join(t[i], &popped);
#ifndef OPT
        assert((all & (long)popped) == 0);
#endif
        all |= (long)popped;
    }
    return 0;
}
