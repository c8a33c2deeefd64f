#include <asm-generic/local64.h>
