#include <asm-generic/ucontext.h>
