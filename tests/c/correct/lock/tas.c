// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
// hmc: --cat rc11 -- -DT=3 => holds
//
// Test-and-set lock.
#include <stdatomic.h>

#ifndef RELEASE
#define RELEASE memory_order_release
#endif

static atomic_int held;

static void lock(int me) {
    (void)me;
    while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
        ;
}

static void unlock(int me) {
    (void)me;
    atomic_store_explicit(&held, 0, RELEASE);
}

#include "../../lock_client.h"
