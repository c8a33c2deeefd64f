#include <asm-generic/dma.h>
