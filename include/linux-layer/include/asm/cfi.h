#include <asm-generic/cfi.h>
