// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 => violated
// hmc: --cat imm => violated
//
// An MCS lock that is handed over by a relaxed store.
#define HANDOVER memory_order_relaxed
#include "../../correct/lock/mcs.c"
