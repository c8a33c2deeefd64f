// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
// hmc: --cat rc11 -- -DT=3 => holds
//
// Ticket lock.
// J. M. Mellor-Crummey, M. L. Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors", ACM TOCS 9(1), 1991.
#include <stdatomic.h>

#ifndef RELEASE
#define RELEASE memory_order_release
#endif

static atomic_int next, serving;

static void lock(int me) {
    (void)me;
    int ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_acquire) != ticket)
        ;
}

static void unlock(int me) {
    (void)me;
    int now = atomic_load_explicit(&serving, memory_order_relaxed);
    atomic_store_explicit(&serving, now + 1, RELEASE);
}

#include "../../lock_client.h"
