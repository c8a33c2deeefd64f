#include <asm-generic/cacheflush.h>
