// hmc: --cat lkmm slow => holds executions=6
// hmc: --cat aarch64 => holds executions=6
// broken: kernel/locking/mcs_spinlock.h: = xchg( -> = xchg_relaxed( => violated
// broken: kernel/locking/mcs_spinlock.h: smp_store_release((l), 1) -> WRITE_ONCE(*(l), 1) => violated race
// broken: kernel/locking/mcs_spinlock.h: smp_cond_load_acquire(l, VAL) -> smp_cond_load_relaxed(l, VAL) => violated race
// broken: kernel/locking/mcs_spinlock.h: cmpxchg_release(lock -> cmpxchg_relaxed(lock => violated race
#include <linux/smp.h>
#include "kernel/locking/mcs_spinlock.h"
#include <hmc/linux.h>

static struct mcs_spinlock *lock, nodes[4];
static int counter;

static void locker(void)
{
	struct mcs_spinlock *node = &nodes[smp_processor_id()];

	mcs_spin_lock(&lock, node);
	counter++;
	mcs_spin_unlock(&lock, node);
}

HMC_TEST(counts) { hmc_cpu(0, locker); hmc_cpu(1, locker); hmc_join(); BUG_ON(counter != 2); }
