// hmc: --cat sc => holds
// hmc: --cat tso -- -DTWICE => violated
// hmc: --cat rc11 -- -DTWICE => violated
// hmc: --cat imm -- -DTWICE => violated
//
// Chase and Lev's deque without the fence in take: owner and thief can get the same element.
#define TAKE_FENCE() ((void)0)
#include "../../correct/structure/chase_lev.c"
