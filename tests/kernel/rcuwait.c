// hmc: --cat lkmm slow => holds executions=7
// hmc: --cat aarch64 => holds executions=7
// broken: kernel/exit.c @int rcuwait_wake_up: smp_mb() -> smp_rmb() => violated liveness
// broken: include/linux/rcuwait.h: set_current_state( -> __set_current_state( => violated liveness
#include "kernel/exit.c"
#define HMC_REAL_RCUWAIT
#include <hmc/linux.h>

static struct rcuwait waiter = __RCUWAIT_INITIALIZER(waiter);
static int ready;

static void sleeper(void) { rcuwait_wait_event(&waiter, READ_ONCE(ready), TASK_UNINTERRUPTIBLE); }
static void waker(void) { WRITE_ONCE(ready, 1); rcuwait_wake_up(&waiter); }

HMC_TEST(no_wake_up_is_missed) { hmc_cpu(0, sleeper); hmc_cpu(1, waker); hmc_join(); }
