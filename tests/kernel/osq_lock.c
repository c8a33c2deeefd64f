// hmc: --cat lkmm => violated race
// hmc: --cat lkmm --plain once slow => holds executions=6
// hmc: --cat aarch64 slow => holds executions=6
#include "kernel/locking/osq_lock.c"
#include <hmc/linux.h>

static struct optimistic_spin_queue lock = OSQ_LOCK_UNLOCKED;
static atomic_t owner;

static void locker(void)
{
	if (!osq_lock(&lock))
		return;
	BUG_ON(atomic_xchg(&owner, 1));
	atomic_xchg(&owner, 0);
	osq_unlock(&lock);
}

HMC_TEST(lock_is_exclusive) { hmc_cpu(0, locker); hmc_cpu(1, locker); hmc_join(); }
