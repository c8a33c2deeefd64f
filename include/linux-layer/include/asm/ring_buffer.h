#include <asm-generic/ring_buffer.h>
