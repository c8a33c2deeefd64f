#include <asm-generic/irq_regs.h>
