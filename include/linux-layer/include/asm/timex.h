#include <asm-generic/timex.h>
