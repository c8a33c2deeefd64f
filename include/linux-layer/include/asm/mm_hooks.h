#include <asm-generic/mm_hooks.h>
