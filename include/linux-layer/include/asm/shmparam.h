#include <asm-generic/shmparam.h>
