// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
// hmc: --cat c11 => holds executions=6 notes=0
// hmc: --cat lkmm => holds executions=6 notes=0
//
// A queued spin lock in the manner of Linux: one word with a locked byte, a pending bit and the tail of a queue of waiters.
// W. Long, P. Zijlstra, "qspinlock: a 4-byte queue spinlock with PV support", Linux 4.2; written here from the state machine
// (tail, pending, locked) in its documentation, for at most T waiters with one queue node each.
#include <stdatomic.h>

#ifndef UNLOCK
#define UNLOCK memory_order_release
#endif
#ifndef T
#define T 2
#endif

#define LOCKED 1
#define PENDING 2
#define TAIL_SHIFT 2
#define TAIL_MASK (~3)

struct node {
    atomic_int next; // thread number + 1
    atomic_int go;
};

static atomic_int word;
static struct node nodes[T];

static void lock(int me) {
    int seen = 0;
    if (atomic_compare_exchange_strong_explicit(&word, &seen, LOCKED, memory_order_acquire, memory_order_relaxed))
        return;
    if (seen == LOCKED) {
        // One thread inside, nobody waits: be the pending one.
        if (atomic_compare_exchange_strong_explicit(&word, &seen, LOCKED | PENDING, memory_order_acquire,
                                                    memory_order_relaxed)) {
            while (atomic_load_explicit(&word, memory_order_acquire) & LOCKED)
                ;
            // Clear pending and take the lock in one step.
            atomic_fetch_add_explicit(&word, LOCKED - PENDING, memory_order_relaxed);
            return;
        }
    }
    // Queue up.
    int self = (me + 1) << TAIL_SHIFT, old = atomic_load_explicit(&word, memory_order_relaxed);
    atomic_store_explicit(&nodes[me].next, 0, memory_order_relaxed);
    atomic_store_explicit(&nodes[me].go, 0, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&word, &old, (old & ~TAIL_MASK) | self, memory_order_acq_rel,
                                                    memory_order_relaxed))
        ;
    int before = old >> TAIL_SHIFT;
    if (before) {
        atomic_store_explicit(&nodes[before - 1].next, me + 1, memory_order_release);
        while (!atomic_load_explicit(&nodes[me].go, memory_order_acquire))
            ;
    }
    // At the head: wait for the holder and the pending thread.
    int now;
    while ((now = atomic_load_explicit(&word, memory_order_acquire)) & (LOCKED | PENDING))
        ;
    for (;;) {
        int last = (now & TAIL_MASK) == self;
        if (atomic_compare_exchange_strong_explicit(&word, &now, last ? LOCKED : now | LOCKED, memory_order_acquire,
                                                    memory_order_relaxed)) {
            if (last)
                return;
            break;
        }
    }
    int after;
    while (!(after = atomic_load_explicit(&nodes[me].next, memory_order_acquire)))
        ;
    atomic_store_explicit(&nodes[after - 1].go, 1, memory_order_release);
}

static void unlock(int me) {
    (void)me;
    atomic_fetch_sub_explicit(&word, LOCKED, UNLOCK);
}

#include "../../lock_client.h"
