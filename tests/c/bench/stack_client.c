// hmc: --cat sc -- -DW=2 -DR=1 -DB=0 => holds
// hmc: --cat rc11 -- -DW=1 -DR=1 -DB=1 => holds
//
// Clients of Treiber's stack: W threads push, R threads pop, B threads push and then pop. Nodes are never used again, and no value is
// popped twice.
// R. K. Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef W
#define W 2
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
    struct node *next;
};

static _Atomic(struct node *) top;
static struct node nodes[W + B + 1];
static atomic_int popped[W + B + 1];

static void push(int value) {
    struct node *n = &nodes[value];
    n->value = value;
    n->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&top, &n->next, n, memory_order_release, memory_order_relaxed))
        ;
}

static void pop(void) {
    struct node *n = atomic_load_explicit(&top, memory_order_acquire);
    while (n && !atomic_compare_exchange_strong_explicit(&top, &n, n->next, memory_order_acquire, memory_order_acquire))
        ;
    if (n)
        assert(atomic_fetch_add_explicit(&popped[n->value], 1, memory_order_relaxed) == 0);
}

static void *client(void *arg) {
    int i = (int)(long)arg;
    if (i < W + B)
        push(i);
    if (i >= W)
        pop();
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
