// hmc: --cat lkmm => violated
//
// The new version is published by WRITE_ONCE: readers may see it before its contents.
#define ASSIGN(p, v) WRITE_ONCE(p, v)
#include "../../correct/rcu/publish.c"
