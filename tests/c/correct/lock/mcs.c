// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
//
// MCS queue lock.
// J. M. Mellor-Crummey, M. L. Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors", ACM TOCS 9(1), 1991.
#include <stdatomic.h>

#ifndef HANDOVER
#define HANDOVER memory_order_release
#endif
#ifndef T
#define T 2
#endif

struct node {
    _Atomic(struct node *) next;
    atomic_int waiting;
};

static struct node nodes[T];
static _Atomic(struct node *) tail;

static void lock(int me) {
    struct node *n = &nodes[me];
    atomic_store_explicit(&n->next, 0, memory_order_relaxed);
    atomic_store_explicit(&n->waiting, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, n, memory_order_acq_rel);
    if (before) {
        atomic_store_explicit(&before->next, n, memory_order_release);
        while (atomic_load_explicit(&n->waiting, memory_order_acquire))
            ;
    }
}

static void unlock(int me) {
    struct node *n = &nodes[me];
    struct node *after = atomic_load_explicit(&n->next, memory_order_acquire);
    if (!after) {
        struct node *expected = n;
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, 0, memory_order_release, memory_order_relaxed))
            return;
        while (!(after = atomic_load_explicit(&n->next, memory_order_acquire)))
            ;
    }
    atomic_store_explicit(&after->waiting, 0, HANDOVER);
}

#include "../../lock_client.h"
