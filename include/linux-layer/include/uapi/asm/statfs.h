#include <asm-generic/statfs.h>
