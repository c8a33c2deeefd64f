#include <asm-generic/mman.h>
