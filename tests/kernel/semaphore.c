// hmc: --cat lkmm slow => holds executions=4
// hmc: --cat aarch64 slow => holds executions=4
#include "kernel/locking/semaphore.c"
#include <hmc/linux.h>

static struct semaphore sem = __SEMAPHORE_INITIALIZER(sem, 1);
static int counter;

static void locker(void) { down(&sem); counter++; up(&sem); }

HMC_TEST(counts) { hmc_cpu(0, locker); hmc_cpu(1, locker); hmc_join(); BUG_ON(counter != 2); }
