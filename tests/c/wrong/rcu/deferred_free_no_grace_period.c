// hmc: --cat lkmm => violated
//
// Freeing at once: a reader can see the object gone while it still sees the pointer.
#define GRACE_PERIOD() ((void)0)
#include "../../correct/rcu/deferred_free.c"
