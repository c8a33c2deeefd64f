#include <asm-generic/runtime-const.h>
