// hmc: --symmetry off --cat sc,rc11,imm => holds executions=26
//
// The queue of Michael and Scott: P threads put a number in each, C threads take one out each if there is one. All try again until their compare-and-swap succeeds, and help others to move the tail on.
// M. M. Michael, M. L. Scott, "Simple, fast, and practical non-blocking and blocking concurrent queue algorithms", PODC 1996. Nodes are never used again.
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
    _Atomic(struct node *) next;
};

static struct node dummy, nodes[P];
static _Atomic(struct node *) head = &dummy, tail = &dummy;

#define load(x) atomic_load_explicit(x, memory_order_acquire)
#define swap(x, old, new) atomic_compare_exchange_strong_explicit(x, old, new, memory_order_acq_rel, memory_order_acquire)

static void *put(void *arg) {
    struct node *n = arg;
    for (;;) {
        struct node *last = load(&tail), *next = load(&last->next);
        if (last != load(&tail))
            continue;
        struct node *none = 0;
        if (next) {
            swap(&tail, &last, next);
        } else if (swap(&last->next, &none, n)) {
            swap(&tail, &last, n);
            return 0;
        }
    }
}

static void *take(void *arg) {
    (void)arg;
    for (;;) {
        struct node *first = load(&head), *last = load(&tail), *next = load(&first->next);
        if (first != load(&head))
            continue;
        if (first != last) {
            int value = next->value;
            if (swap(&head, &first, next))
                return (void *)(long)value;
        } else if (!next) {
            return 0;
        } else {
            swap(&tail, &last, next);
        }
    }
}

int main(void) {
    pthread_t t[P + C];
    for (int i = 0; i < P; i++) {
        nodes[i].value = i + 1;
        pthread_create(&t[i], 0, put, &nodes[i]);
    }
    for (int i = 0; i < C; i++)
        pthread_create(&t[P + i], 0, take, 0);
    int taken = 0, left = 0;
    for (int i = 0; i < P + C; i++) {
        void *got;
        pthread_join(t[i], &got);
        taken += i >= P && got;
    }
    for (struct node *n = load(&load(&head)->next); n; n = load(&n->next))
        left++;
    assert(taken + left == P);
    return 0;
}
