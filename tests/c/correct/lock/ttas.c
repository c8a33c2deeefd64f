// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
// hmc: --cat rc11 -- -DT=3 => holds
//
// Test-and-test-and-set lock.
// L. Rudolph, Z. Segall, "Dynamic decentralized cache schemes for MIMD parallel processors", ISCA 1984.
#include <stdatomic.h>

#ifndef ACQUIRE
#define ACQUIRE memory_order_acquire
#endif

static atomic_int held;

static void lock(int me) {
    (void)me;
    do {
        while (atomic_load_explicit(&held, memory_order_relaxed))
            ;
    } while (atomic_exchange_explicit(&held, 1, ACQUIRE));
}

static void unlock(int me) {
    (void)me;
    atomic_store_explicit(&held, 0, memory_order_release);
}

#include "../../lock_client.h"
