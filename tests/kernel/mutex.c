// hmc: --cat lkmm slow => holds executions=12
// hmc: --cat aarch64 slow => holds executions=12
// broken: kernel/locking/mutex.c: try_cmpxchg_acquire(&lock->owner, &zero -> try_cmpxchg_relaxed(&lock->owner, &zero => violated race
// broken: kernel/locking/mutex.c: try_cmpxchg_release(&lock->owner, &curr -> try_cmpxchg_relaxed(&lock->owner, &curr => violated race
#include "kernel/locking/mutex.c"
#include <hmc/linux.h>

static DEFINE_MUTEX(lock);
static int counter;

static void locker(void) { mutex_lock(&lock); counter++; mutex_unlock(&lock); }

HMC_TEST(counts) { hmc_cpu(0, locker); hmc_cpu(1, locker); hmc_join(); BUG_ON(counter != 2); }
