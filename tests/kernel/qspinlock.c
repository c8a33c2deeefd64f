// hmc: --cat lkmm slow => holds
// hmc: --cat aarch64 slow => holds
#define HMC_QSPINLOCK
#include "kernel/locking/qspinlock.c"
#include <hmc/linux.h>

static struct qspinlock lock = __ARCH_SPIN_LOCK_UNLOCKED;
static int counter;

static void locker(void) { queued_spin_lock(&lock); counter++; queued_spin_unlock(&lock); }

HMC_TEST(counts) { hmc_cpu(0, locker); hmc_cpu(1, locker); hmc_join(); BUG_ON(counter != 2); }
