// hmc: --cat sc -- -DTHREADS={{1,0,0},{0,1,0},{0,0,0}} => holds
// hmc: --cat rc11 -- -DTHREADS={{1,0,0},{1,0,0},{0,1,0}} => holds
// hmc: --cat rc11 -- -DOPT -DTHREADS={{1,0,0},{1,0,0},{0,1,0}} => holds
//
// Clients of Michael and Scott's queue. A thread is given by three numbers: so many values are entered, then so many taken, then so
// many entered each followed by a taking. All accesses are sequentially consistent, or, with OPT, as weak as the algorithm allows. No
// value is taken twice.
// M. M. Michael, M. L. Scott, "Simple, fast, and practical non-blocking and blocking concurrent queue algorithms", PODC 1996.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS {{1, 0, 0}, {1, 0, 0}, {0, 1, 0}}
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
#define DUMMY (N * EACH)

struct node {
    int value;
    _Atomic(struct node *) next;
};

static const int work[N][3] = THREADS;
static struct node nodes[DUMMY + 1];
static _Atomic(struct node *) head = &nodes[DUMMY], tail = &nodes[DUMMY];
static atomic_int taken[DUMMY];

static struct node *get(_Atomic(struct node *) *p) { return atomic_load_explicit(p, ACQUIRE); }

static int swap(_Atomic(struct node *) *p, struct node *from, struct node *to) {
    return atomic_compare_exchange_strong_explicit(p, &from, to, RELEASE, RELAXED);
}

static void enter(int value) {
    struct node *n = &nodes[value];
    n->value = value;
    for (;;) {
        struct node *last = get(&tail), *next = get(&last->next);
        if (next) {
            swap(&tail, last, next);
        } else if (swap(&last->next, 0, n)) {
            swap(&tail, last, n);
            return;
        }
    }
}

static void take(void) {
    for (;;) {
        struct node *first = get(&head), *last = get(&tail), *next = get(&first->next);
        if (!next)
            return;
        if (first == last)
            swap(&tail, last, next);
        int value = next->value;
        if (swap(&head, first, next)) {
            assert(atomic_fetch_add_explicit(&taken[value], 1, memory_order_relaxed) == 0);
            return;
        }
    }
}

static void *client(void *arg) {
    int me = (int)(long)arg, value = me * EACH;
    for (int i = 0; i < work[me][0]; i++)
        enter(value++);
    for (int i = 0; i < work[me][1]; i++)
        take();
    for (int i = 0; i < work[me][2]; i++) {
        enter(value++);
        take();
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
