// A stack of R. K. Treiber ("Systems programming: coping with parallelism", 1986): a node is pushed too weakly.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;
static struct node nodes[2];

static void push(struct node *node, int value)
{
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    node->value = value;
    do
        node->next = old;
    while (!atomic_compare_exchange_strong_explicit(&top, &old, node, memory_order_relaxed, memory_order_relaxed));
}

static struct node *pop(void)
{
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
    while (old && !atomic_compare_exchange_strong_explicit(&top, &old, old->next, memory_order_acquire, memory_order_acquire))
        ;
    return old;
}

static void *pusher(void *node)
{
    push(node, 1);
    return NULL;
}

int main(void)
{
    pthread_t p;
    pthread_create(&p, 0, pusher, &nodes[0]);
    struct node *node = pop();
    if (node)
        assert(node->value == 1);
    pthread_join(p, 0);
}
