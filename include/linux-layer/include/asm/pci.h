#include <asm-generic/pci.h>
