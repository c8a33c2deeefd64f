#include <asm-generic/softirq_stack.h>
