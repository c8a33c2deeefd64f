// hmc: --cat sc -- -DL=1 => holds executions=4 blocked=0
// hmc: --cat tso -- -DL=1 => holds
// hmc: --cat rc11 -- -DL=2 => holds executions=48 blocked=0
// hmc: --cat tso -- -DL=1 -DNO_FENCE => violated
//
// Peterson's mutual exclusion, taken L times by each thread.
#ifndef L
#define L 5
#endif
#define N L
#ifdef NO_FENCE
#define FENCE() ((void)0)
#endif
#include "../correct/mutex/peterson.c"
