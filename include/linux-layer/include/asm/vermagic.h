#include <asm-generic/vermagic.h>
