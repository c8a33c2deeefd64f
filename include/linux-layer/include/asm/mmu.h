#ifndef HMC_ASM_MMU_H
#define HMC_ASM_MMU_H
typedef struct { unsigned long none; } mm_context_t;
#endif
