#include <asm-generic/sections.h>
