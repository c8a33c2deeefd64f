#include <asm-generic/switch_to.h>
