// hmc: --cat sc => holds
// hmc: --cat tso => violated
// hmc: --cat pso => violated
// hmc: --cat rc11 => violated
// hmc: --cat imm => violated
//
// Szymanski's algorithm with relaxed accesses: right only under sequential consistency.
#define ORDER memory_order_relaxed
#include "../../correct/mutex/szymanski.c"
