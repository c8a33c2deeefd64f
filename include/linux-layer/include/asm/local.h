#include <asm-generic/local.h>
