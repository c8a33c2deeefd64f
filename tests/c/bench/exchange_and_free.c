// hmc: --cat sc,tso,rc11,c11,imm,lkmm,aarch64 -- -DN=4 => holds executions=24 notes=0
// hmc: --cat rc11,c11,imm,lkmm,aarch64 -- -DN=4 -DRELAXED => violated kind=memory
// hmc: --cat sc,tso -- -DN=4 -DRELAXED => holds executions=24
//
// Each thread puts a node of its own in a place, and frees the node that it takes out. Where the exchange orders nothing, a thread may free a node that its maker has not filled yet.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acq_rel
#endif

struct node {
    int value;
};

static _Atomic(struct node *) place;
static pthread_t threads[N];

static void *work(void *arg) {
    struct node *node = malloc(sizeof *node);
    node->value = (int)(long)arg; // HERE
    struct node *other = atomic_exchange_explicit(&place, node, ORDER);
    if (other)
        free(other); // HERE
    return 0;
}

int main(void) {
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    free(atomic_load(&place));
    return 0;
}
