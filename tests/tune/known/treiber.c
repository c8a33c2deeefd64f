// Treiber's stack, with nodes of the heap.
// R. K. Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986; a push releases, a
// pop acquires.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;

static void push(int value) {
    struct node *new = malloc(sizeof *new);
    new->value = value;
    new->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&top, &new->next, new, memory_order_release, memory_order_relaxed))
        ;
}

static int pop(void) {
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
    while (old && !atomic_compare_exchange_strong_explicit(&top, &old, old->next, memory_order_relaxed,
                                                           memory_order_acquire))
        ;
    return old ? old->value : 0;
}

static void *producer(void *arg) {
    push((int)(long)arg);
    return 0;
}

static void *consumer(void *arg) {
    (void)arg;
    int value = pop();
    assert(value >= 0 && value <= 2);
    return 0;
}

int main(void) {
    pthread_t p[2], c;
    for (long i = 0; i < 2; i++)
        pthread_create(&p[i], 0, producer, (void *)(i + 1));
    pthread_create(&c, 0, consumer, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(p[i], 0);
    pthread_join(c, 0);
    return 0;
}
