// hmc: --cat sc => violated
// hmc: --cat tso => violated
// hmc: --cat rc11 => violated
//
// Treiber's stack whose nodes are used again without a counter: a pop can succeed on a top that came back ("ABA").
#define COUNT 0
#include "../../correct/structure/treiber_reuse.c"
