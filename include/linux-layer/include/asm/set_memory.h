#include <asm-generic/set_memory.h>
