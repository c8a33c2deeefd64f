#include <asm-generic/irq.h>
