// The queue lock of J. Mellor-Crummey and M. Scott, with every order as strong as can be.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int waiting;
};

static _Atomic(struct node *) tail;
static struct node nodes[2];
static int counter;

static void lock(struct node *self)
{
    atomic_store(&self->waiting, 1);
    struct node *before = atomic_exchange(&tail, self);
    if (before) {
        atomic_store(&before->next, self);
        while (atomic_load(&self->waiting))
            ;
    }
}

static void unlock(struct node *self)
{
    if (!atomic_load(&self->next)) {
        struct node *expected = self;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return;
        while (!atomic_load(&self->next))
            ;
    }
    struct node *after = atomic_load(&self->next);
    atomic_store(&after->waiting, 0);
}

static void *worker(void *node)
{
    lock(node);
    counter++;
    unlock(node);
    return NULL;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, worker, &nodes[0]);
    pthread_create(&q, 0, worker, &nodes[1]);
    pthread_join(p, 0);
    pthread_join(q, 0);
}
