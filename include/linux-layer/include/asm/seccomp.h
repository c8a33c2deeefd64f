#include <asm-generic/seccomp.h>
