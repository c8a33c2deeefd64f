// hmc: --cat sc,tso => holds executions=6
// hmc: --cat lkmm,aarch64 slow => holds executions=6
// broken: kernel/locking/qspinlock.c: smp_cond_load_acquire(&lock->locked, !VAL) -> (void)0 -- --cat sc => violated
#define HMC_QSPINLOCK
#include "kernel/locking/qspinlock.c"
#include <hmc/linux.h>

static struct qspinlock lock = __ARCH_SPIN_LOCK_UNLOCKED;
static int counter;

static void locker(void) { queued_spin_lock(&lock); counter++; queued_spin_unlock(&lock); }

HMC_TEST(counts) { hmc_cpu(0, locker); hmc_cpu(1, locker); hmc_join(); BUG_ON(counter != 2); }
