#ifndef HMC_ASM_QRWLOCK_H
#define HMC_ASM_QRWLOCK_H
#include <asm-generic/qrwlock.h>
#endif
