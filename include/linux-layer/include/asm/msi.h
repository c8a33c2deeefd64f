#include <asm-generic/msi.h>
