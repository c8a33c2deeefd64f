#include <asm-generic/checksum.h>
