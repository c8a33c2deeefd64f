#include <asm-generic/futex.h>
