#ifndef HMC_ASM_QSPINLOCK_H
#define HMC_ASM_QSPINLOCK_H
#include <asm-generic/qspinlock.h>
#endif
