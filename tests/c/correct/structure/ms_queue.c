// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
//
// Michael and Scott's queue; nodes are never used again.
// M. M. Michael, M. L. Scott, "Simple, fast, and practical non-blocking and blocking concurrent queue algorithms", PODC 1996.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef LINK
#define LINK memory_order_release
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node nodes[3]; // nodes[0] is the dummy
static _Atomic(struct node *) head = &nodes[0], tail = &nodes[0];

static void enqueue(struct node *n, int value) {
    n->value = value;
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (next) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(&last->next, &next, n, LINK, memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, n, memory_order_release, memory_order_relaxed);
            return;
        }
    }
}

static int dequeue(void) {
    for (;;) {
        struct node *first = atomic_load_explicit(&head, memory_order_acquire);
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
        if (!next)
            return 0;
        if (first == last)
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
        int value = next->value;
        if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release, memory_order_relaxed))
            return value;
    }
}

static void *producer(void *arg) {
    int i = (int)(long)arg;
    enqueue(&nodes[i], i);
    return 0;
}

static void *consumer(void *arg) {
    (void)arg;
    int a = dequeue();
    assert(a == 0 || a == 1 || a == 2);
    return 0;
}

#ifndef P
#define P 1
#endif

int main(void) {
    pthread_t p[P], c;
    for (long i = 0; i < P; i++)
        pthread_create(&p[i], 0, producer, (void *)(i + 1));
    pthread_create(&c, 0, consumer, 0);
    for (int i = 0; i < P; i++)
        pthread_join(p[i], 0);
    pthread_join(c, 0);
    return 0;
}
