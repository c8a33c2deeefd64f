// Michael and Scott's queue, with nodes of the heap that are never given back.
// M. M. Michael, M. L. Scott, "Simple, fast, and practical non-blocking and blocking concurrent queue algorithms", PODC 1996;
// a link is read with acquire and set with release.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static struct node *made(int value) {
    struct node *new = malloc(sizeof *new);
    new->value = value;
    atomic_init(&new->next, 0);
    return new;
}

static void enqueue(int value) {
    struct node *new = made(value);
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (next) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(&last->next, &next, new, memory_order_release,
                                                           memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, new, memory_order_release, memory_order_relaxed);
            return;
        }
    }
}

static int dequeue(void) {
    for (;;) {
        struct node *first = atomic_load_explicit(&head, memory_order_acquire);
        struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
        if (!next)
            return 0;
        int value = next->value;
        if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release, memory_order_relaxed))
            return value;
    }
}

static void *producer(void *arg) {
    enqueue((int)(long)arg);
    return 0;
}

static void *consumer(void *arg) {
    (void)arg;
    int value = dequeue();
    assert(value >= 0 && value <= 2);
    return 0;
}

int main(void) {
    pthread_t p[2], c[CONSUMERS];
    struct node *dummy = made(0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
    for (long i = 0; i < 2; i++)
        pthread_create(&p[i], 0, producer, (void *)(i + 1));
    for (int i = 0; i < CONSUMERS; i++)
        pthread_create(&c[i], 0, consumer, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(p[i], 0);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_join(c[i], 0);
    return 0;
}
