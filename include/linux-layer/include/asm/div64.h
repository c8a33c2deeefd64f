#include <asm-generic/div64.h>
