// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
//
// CLH queue lock: each thread spins on the node of the one before it.
// P. S. Magnusson, A. Landin, E. Hagersten, "Queue locks on cache coherent multiprocessors", IPPS 1994.
#include <stdatomic.h>

#ifndef RELEASE
#define RELEASE memory_order_release
#endif
#ifndef T
#define T 2
#endif

struct node {
    atomic_int locked;
};

static struct node nodes[T], first;
static _Atomic(struct node *) tail = &first;

static void lock(int me) {
    atomic_store_explicit(&nodes[me].locked, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, &nodes[me], memory_order_acq_rel);
    while (atomic_load_explicit(&before->locked, memory_order_acquire))
        ;
}

static void unlock(int me) {
    atomic_store_explicit(&nodes[me].locked, 0, RELEASE);
}

#include "../../lock_client.h"
