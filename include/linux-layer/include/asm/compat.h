#include <asm-generic/compat.h>
