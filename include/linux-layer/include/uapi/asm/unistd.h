#include <asm-generic/unistd.h>
