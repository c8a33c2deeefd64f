// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 => violated
//
// A test-and-test-and-set lock that is taken by a relaxed exchange.
#define ACQUIRE memory_order_relaxed
#include "../../correct/lock/ttas.c"
