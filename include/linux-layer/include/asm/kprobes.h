#include <asm-generic/kprobes.h>
