#ifndef HMC_ASM_TLB_H
#define HMC_ASM_TLB_H
#include <asm-generic/tlb.h>
#endif
