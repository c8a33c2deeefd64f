/* Documentation/locking/mutex-design.rst: a mutex is a lock of the model, in the word of its inner lock. Behind kernel/locking/mutex.c it is that file's. */
#include <linux/mutex.h>
#ifndef MUTEX_FLAG_WAITERS
#define __hmc_mutex(lock) ((unsigned int *)&(lock)->wait_lock)
HMC_OWN void __mutex_init(struct mutex *lock, const char *name, struct lock_class_key *key) { *__hmc_mutex(lock) = 0; }
HMC_OWN void mutex_lock(struct mutex *lock) { hmc_lock(__hmc_mutex(lock)); }
HMC_OWN int mutex_lock_interruptible(struct mutex *lock) { mutex_lock(lock); return 0; }
HMC_OWN int mutex_lock_killable(struct mutex *lock) { mutex_lock(lock); return 0; }
HMC_OWN int mutex_trylock(struct mutex *lock) { return hmc_trylock(__hmc_mutex(lock)); }
HMC_OWN void mutex_unlock(struct mutex *lock) { hmc_unlock(__hmc_mutex(lock)); }
HMC_OWN bool mutex_is_locked(struct mutex *lock) { return hmc_is_locked(__hmc_mutex(lock)); }
#endif
/* No soft interrupt is pending: there are none. */
HMC_OWN void __local_bh_enable_ip(unsigned long ip, unsigned int count) { preempt_count_sub(count); }
