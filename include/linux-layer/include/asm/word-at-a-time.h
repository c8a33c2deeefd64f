#include <asm-generic/word-at-a-time.h>
