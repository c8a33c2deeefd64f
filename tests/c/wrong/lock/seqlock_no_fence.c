// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 => violated
// hmc: --cat imm => violated
//
// A sequence lock whose reader has no fence before it looks at the sequence number again.
#define READ_FENCE() ((void)0)
#include "../../correct/lock/seqlock.c"
