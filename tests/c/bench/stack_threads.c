// hmc: --cat sc -- -DTHREADS={{1,0,0},{1,0,0},{0,1,0}} => holds
// hmc: --cat rc11 -- -DTHREADS={{1,0,0},{1,0,0},{0,1,0}} => holds
// hmc: --cat rc11 -- -DOPT -DTHREADS={{1,0,0},{1,0,0},{0,1,0}} => holds
// hmc: --cat rc11 -- -DOPT -DTHREADS={{2,1,0},{0,1,1},{0,0,0}} => holds
//
// Clients of Treiber's stack. A thread is given by three numbers: so many pushes, then so many pops, then so many pushes each
// followed by a pop. All accesses are sequentially consistent, or, with OPT, as weak as the algorithm allows. No value is popped twice.
// R. K. Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS {{2, 1, 0}, {0, 1, 1}, {0, 0, 0}}
#endif
#ifdef OPT
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define RELAXED memory_order_relaxed
#else
#define ACQUIRE memory_order_seq_cst
#define RELEASE memory_order_seq_cst
#define RELAXED memory_order_seq_cst
#endif
#define N 3
#define EACH 3

struct node {
    int value;
    struct node *next;
};

static const int work[N][3] = THREADS;
static _Atomic(struct node *) top;
static struct node nodes[N * EACH];
static atomic_int popped[N * EACH];

static void push(int value) {
    struct node *n = &nodes[value];
    n->value = value;
    n->next = atomic_load_explicit(&top, RELAXED);
    while (!atomic_compare_exchange_strong_explicit(&top, &n->next, n, RELEASE, RELAXED))
        ;
}

static void pop(void) {
    struct node *n = atomic_load_explicit(&top, ACQUIRE);
    while (n && !atomic_compare_exchange_strong_explicit(&top, &n, n->next, ACQUIRE, ACQUIRE))
        ;
    if (n)
        assert(atomic_fetch_add_explicit(&popped[n->value], 1, memory_order_relaxed) == 0);
}

static void *client(void *arg) {
    int me = (int)(long)arg, value = me * EACH;
    for (int i = 0; i < work[me][0]; i++)
        push(value++);
    for (int i = 0; i < work[me][1]; i++)
        pop();
    for (int i = 0; i < work[me][2]; i++) {
        push(value++);
        pop();
    }
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, client, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
