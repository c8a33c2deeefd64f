#include <asm-generic/simd.h>
