// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat tso -- -DNO_FENCE => violated
// hmc: --cat pso -- -DNO_FENCE => violated
//
// Dekker's mutual exclusion.
#ifdef NO_FENCE
#define FENCE() ((void)0)
#endif
#include "../correct/mutex/dekker.c"
