// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 => violated
// hmc: --cat imm => violated
//
// Treiber's stack whose push is a relaxed compare-and-exchange.
#define PUSH memory_order_relaxed
#include "../../correct/structure/treiber.c"
