#ifndef HMC_ASM_IO_H
#define HMC_ASM_IO_H
#include <asm-generic/io.h>
#endif
