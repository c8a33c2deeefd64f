#ifndef HMC_ASM_HUGETLB_H
#define HMC_ASM_HUGETLB_H
#include <asm-generic/hugetlb.h>
#endif
