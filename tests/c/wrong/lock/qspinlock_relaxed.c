// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 => violated
// hmc: --cat imm => violated
//
// A queued spin lock that is released by a relaxed subtraction.
#define UNLOCK memory_order_relaxed
#include "../../correct/lock/qspinlock.c"
