// hmc: --cat sc => violated kind=memory
// hmc: --cat rc11 => violated kind=memory
// hmc: --cat c11 => violated kind=memory
// hmc: --cat imm => violated kind=memory
// hmc: --cat rc11 -- -DNEVER_WRITTEN => violated kind=uninitialised
// hmc: --cat sc -- -DNEVER_WRITTEN => violated kind=uninitialised
//
// The reader looks into a node in each round in which the writer is not done, when the node may be freed already; or was never written. No round that leads out of
// the loop looks there.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;
static atomic_int *node;

static void *writer(void *arg) {
    (void)arg;
#ifndef NEVER_WRITTEN
    free(node); // HERE
#endif
    atomic_store_explicit(&done, 1, memory_order_release);
    return 0;
}

static void *reader(void *arg) {
    while (!atomic_load_explicit(&done, memory_order_acquire)) {
        if (atomic_load_explicit(node, memory_order_relaxed) == 7) // HERE
            return arg;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    node = malloc(sizeof *node);
#ifndef NEVER_WRITTEN
    atomic_store_explicit(node, 1, memory_order_relaxed);
#endif
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
