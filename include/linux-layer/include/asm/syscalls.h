#include <asm-generic/syscalls.h>
