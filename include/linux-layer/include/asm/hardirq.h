#include <asm-generic/hardirq.h>
