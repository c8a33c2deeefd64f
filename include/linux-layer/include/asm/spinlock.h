/* Documentation/locking/spinlocks.rst. The lock of the model; with HMC_QSPINLOCK the tree's own queued lock. */
#ifndef HMC_ASM_SPINLOCK_H
#define HMC_ASM_SPINLOCK_H
#include <asm/barrier.h>
#ifdef HMC_QSPINLOCK
#include <asm-generic/qspinlock.h>
#else
#define arch_spin_lock(lock) ({ hmc_interrupt(); hmc_lock(&(lock)->slock); })
#define arch_spin_trylock(lock) ({ hmc_interrupt(); hmc_trylock(&(lock)->slock); })
#define arch_spin_unlock(lock) ({ hmc_interrupt(); hmc_unlock(&(lock)->slock); })
#define arch_spin_is_locked(lock) hmc_is_locked(&(lock)->slock)
#define arch_spin_value_unlocked(lock) ((lock).slock == 0)
#define arch_spin_is_contended(lock) 0
#endif
#include <asm/qrwlock.h>
#endif
