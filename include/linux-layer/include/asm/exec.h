#include <asm-generic/exec.h>
