// hmc: --cat sc -- -DN=2 => violated
// hmc: --cat tso -- -DN=2 => violated
//
// The same stack when a pop looks only at whether there ever was a push.
#define UNSAFE
#include "stack_safe.c"
