#include <asm-generic/signal.h>
