// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 => violated
// hmc: --cat imm => violated
//
// A test-and-set lock whose release is a relaxed store.
#define RELEASE memory_order_relaxed
#include "../../correct/lock/tas.c"
