// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 => violated
// hmc: --cat imm => violated
//
// A ticket lock whose release is a relaxed store.
#define RELEASE memory_order_relaxed
#include "../../correct/lock/ticket.c"
