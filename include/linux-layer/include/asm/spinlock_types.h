/* A word that the model's lock is in. */
#ifndef HMC_ASM_SPINLOCK_TYPES_H
#define HMC_ASM_SPINLOCK_TYPES_H
#include <linux/types.h>
#ifdef HMC_QSPINLOCK
#include <asm-generic/qspinlock_types.h>
#else
typedef struct { unsigned int slock; } arch_spinlock_t;
#define __ARCH_SPIN_LOCK_UNLOCKED { 0 }
#endif
#include <asm-generic/qrwlock_types.h>
#endif
