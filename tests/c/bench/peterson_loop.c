// hmc: --cat sc -- -DL=1 => holds
// hmc: --cat tso -- -DL=1 => holds
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
