// hmc: --cat lkmm => violated
//
// The counter without its lock.
#define LOCK() ((void)0)
#define UNLOCK() ((void)0)
#include "../../correct/rcu/spinlock.c"
