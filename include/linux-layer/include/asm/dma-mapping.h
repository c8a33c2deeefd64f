#include <asm-generic/dma-mapping.h>
