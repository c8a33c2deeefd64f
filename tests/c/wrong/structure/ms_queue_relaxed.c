// hmc: --cat sc => holds
// hmc: --cat rc11 => violated
//
// Michael and Scott's queue that links a node in by a relaxed compare-and-exchange.
#define LINK memory_order_relaxed
#include "../../correct/structure/ms_queue.c"
