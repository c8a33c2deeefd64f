#include <asm-generic/rqspinlock.h>
