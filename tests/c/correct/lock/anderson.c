// hmc: --cat sc => holds executions=6
// hmc: --cat tso => holds executions=6
// hmc: --cat rc11 => holds executions=6
// hmc: --cat imm => holds executions=6
// hmc: --cat aarch64 => holds executions=6
// hmc: --cat rc11 -- -DSLOTS=2 => violated
//
// Anderson's array lock: each thread spins on a slot of its own, of which there must be as many as threads.
// T. E. Anderson, "The performance of spin lock alternatives for shared-memory multiprocessors", IEEE TPDS 1(1), 1990.
#include <stdatomic.h>
#include <stdbool.h>

#define T 3
#ifndef SLOTS
#define SLOTS T
#endif

static atomic_uint next;
static atomic_bool has_lock[SLOTS] = {true};
static unsigned slot[T];

static void lock(int me) {
    slot[me] = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed) % SLOTS;
    while (!atomic_load_explicit(&has_lock[slot[me]], memory_order_acquire))
        ;
    atomic_store_explicit(&has_lock[slot[me]], false, memory_order_relaxed);
}

static void unlock(int me) { atomic_store_explicit(&has_lock[(slot[me] + 1) % SLOTS], true, memory_order_release); }

#include "../../lock_client.h"
