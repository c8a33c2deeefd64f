// hmc: --symmetry off --retries all --cat sc,rc11,imm => holds executions=20
//
// Treiber's stack: P threads push a node each, C threads pop one each if there is one. Both try again until their compare-and-swap succeeds.
// R. K. Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef P
#define P 2
#endif
#ifndef C
#define C 1
#endif

struct node {
    int value;
    _Atomic(struct node *) below;
};

static struct node nodes[P];
static _Atomic(struct node *) top;

static void *push(void *arg) {
    struct node *n = arg;
    struct node *t = atomic_load_explicit(&top, memory_order_relaxed);
    do {
        atomic_store_explicit(&n->below, t, memory_order_relaxed);
    } while (!atomic_compare_exchange_strong_explicit(&top, &t, n, memory_order_release, memory_order_relaxed));
    return 0;
}

static void *pop(void *arg) {
    (void)arg;
    struct node *t = atomic_load_explicit(&top, memory_order_acquire);
    while (t) {
        struct node *below = atomic_load_explicit(&t->below, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &t, below, memory_order_acquire, memory_order_acquire))
            break;
    }
    return t;
}

int main(void) {
    pthread_t t[P + C];
    for (int i = 0; i < P; i++)
        pthread_create(&t[i], 0, push, &nodes[i]);
    for (int i = 0; i < C; i++)
        pthread_create(&t[P + i], 0, pop, 0);
    int popped = 0, left = 0;
    for (int i = 0; i < P + C; i++) {
        void *got;
        pthread_join(t[i], &got);
        popped += i >= P && got;
    }
    for (struct node *n = atomic_load(&top); n; n = atomic_load(&n->below))
        left++;
    assert(popped + left == P);
    return 0;
}
