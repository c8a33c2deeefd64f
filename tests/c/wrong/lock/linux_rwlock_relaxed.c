// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 => violated
// hmc: --cat imm => violated
//
// A reader-writer lock that a writer releases by a relaxed addition.
#define WRITE_RELEASE memory_order_relaxed
#include "../../correct/lock/linux_rwlock.c"
