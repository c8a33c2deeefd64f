#include <asm-generic/unaligned.h>
