#ifndef HMC_ASM_EARLY_IOREMAP_H
#define HMC_ASM_EARLY_IOREMAP_H
#include <asm-generic/early_ioremap.h>
#endif
