// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 => violated
//
// A bounded queue that marks a cell full by a relaxed store.
#define PUBLISH memory_order_relaxed
#include "../../correct/structure/mpmc_queue.c"
