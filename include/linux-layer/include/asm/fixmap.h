#ifndef HMC_ASM_FIXMAP_H
#define HMC_ASM_FIXMAP_H
#define FIXADDR_TOP 0xfffffffffffff000UL
#endif
