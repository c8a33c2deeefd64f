#include <asm-generic/hw_irq.h>
