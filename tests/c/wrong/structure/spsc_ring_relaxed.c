// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => violated
// hmc: --cat rc11 => violated
// hmc: --cat imm => violated
//
// A ring whose producer publishes by a relaxed store.
#define PUBLISH memory_order_relaxed
#include "../../correct/structure/spsc_ring.c"
