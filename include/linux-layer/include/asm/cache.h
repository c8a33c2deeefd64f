#ifndef HMC_ASM_CACHE_H
#define HMC_ASM_CACHE_H
#define L1_CACHE_SHIFT 6
#define L1_CACHE_BYTES 64
#endif
