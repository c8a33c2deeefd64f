#include <asm-generic/module.h>
