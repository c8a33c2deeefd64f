#include <asm-generic/serial.h>
