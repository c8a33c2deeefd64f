// hmc: --cat sc => holds
// hmc: --cat tso => violated
// hmc: --cat pso => violated
// hmc: --cat rc11 => violated
// hmc: --cat imm => violated
//
// Dekker's algorithm without its fences: right only under sequential consistency.
#define FENCE() ((void)0)
#include "../../correct/mutex/dekker.c"
