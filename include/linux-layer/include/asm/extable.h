#include <asm-generic/extable.h>
