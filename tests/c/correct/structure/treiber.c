// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
//
// Treiber's stack; nodes are never used again.
// R. K. Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef PUSH
#define PUSH memory_order_release
#endif

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;
static struct node nodes[2];

static void push(struct node *n, int value) {
    n->value = value;
    n->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&top, &n->next, n, PUSH, memory_order_relaxed))
        ;
}

static struct node *pop(void) {
    struct node *n = atomic_load_explicit(&top, memory_order_acquire);
    while (n && !atomic_compare_exchange_strong_explicit(&top, &n, n->next, memory_order_acquire, memory_order_acquire))
        ;
    return n;
}

static void *producer(void *arg) {
    int i = (int)(long)arg;
    push(&nodes[i], i + 1);
    return 0;
}

static void *consumer(void *arg) {
    (void)arg;
    struct node *first = pop(), *second = pop();
    if (first)
        assert(first->value == 1 || first->value == 2);
    if (first && second)
        assert(first->value + second->value == 3);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, producer, (void *)0);
    pthread_create(&b, 0, producer, (void *)1);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
