// hmc: --cat sc -- -DT=2 => holds executions=29 blocked=0
// hmc: --cat tso -- -DT=2 => holds
// hmc: --cat tso -- -DT=2 -DNO_FENCE => violated
// hmc: --cat pso -- -DT=2 -DNO_FENCE => violated
//
// Szymanski's mutual exclusion for T threads.
#ifdef NO_FENCE
#define ORDER memory_order_relaxed
#endif
#include "../correct/mutex/szymanski.c"
