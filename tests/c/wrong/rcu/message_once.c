// hmc: --cat lkmm => violated
//
// Message passing by WRITE_ONCE: nothing is published.
#define PUBLISH(p, v) WRITE_ONCE(*(p), v)
#include "../../correct/rcu/message.c"
