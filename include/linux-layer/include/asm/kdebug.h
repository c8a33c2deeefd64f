#include <asm-generic/kdebug.h>
