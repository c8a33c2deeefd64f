#include <asm-generic/linkage.h>
