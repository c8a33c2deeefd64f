#include <asm-generic/device.h>
