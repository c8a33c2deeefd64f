// hmc: --cat lkmm => violated
//
// The old version is poisoned without waiting for its readers.
#define GRACE_PERIOD() ((void)0)
#include "../../correct/rcu/publish.c"
