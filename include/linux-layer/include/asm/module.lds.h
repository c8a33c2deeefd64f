#include <asm-generic/module.lds.h>
