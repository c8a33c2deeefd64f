// hmc: --cat sc -- -DW=1 -DR=1 -DB=0 => holds
// hmc: --cat rc11 -- -DW=1 -DR=1 -DB=0 => holds
//
// Clients of Michael and Scott's queue: W threads enqueue, R threads dequeue, B threads enqueue and then dequeue. Nodes are never used
// again, and no value is dequeued twice.
// M. M. Michael, M. L. Scott, "Simple, fast, and practical non-blocking and blocking concurrent queue algorithms", PODC 1996.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef W
#define W 1
#endif
#ifndef R
#define R 1
#endif
#ifndef B
#define B 0
#endif
#define ALL (W + R + B)

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node nodes[W + B + 1]; // the last is the dummy
static _Atomic(struct node *) head = &nodes[W + B], tail = &nodes[W + B];
static atomic_int taken[W + B + 1];

static void enqueue(int value) {
    struct node *n = &nodes[value];
    n->value = value;
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (next) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(&last->next, &next, n, memory_order_release,
                                                           memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, n, memory_order_release, memory_order_relaxed);
            return;
        }
    }
}

static void dequeue(void) {
    for (;;) {
        struct node *first = atomic_load_explicit(&head, memory_order_acquire);
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
        if (!next)
            return;
        if (first == last)
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
        int value = next->value;
        if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release, memory_order_relaxed)) {
            assert(atomic_fetch_add_explicit(&taken[value], 1, memory_order_relaxed) == 0);
            return;
        }
    }
}

static void *client(void *arg) {
    int i = (int)(long)arg;
    if (i < W + B)
        enqueue(i);
    if (i >= W)
        dequeue();
    return 0;
}

int main(void) {
    pthread_t t[ALL];
    for (long i = 0; i < ALL; i++)
        pthread_create(&t[i], 0, client, (void *)i);
    for (int i = 0; i < ALL; i++)
        pthread_join(t[i], 0);
    return 0;
}
