// hmc: --cat lkmm slow => holds executions=11
// hmc: --cat aarch64 slow => holds executions=11
// hmc: --cat lkmm -- -DNO_BARRIER => violated liveness
#include <hmc/sched.h>
#include "kernel/sched/wait.c"
#include "kernel/sched/wait_bit.c"
#include <hmc/linux.h>

static unsigned long word = 1;

static void sleeper(void) { wait_on_bit(&word, 0, TASK_UNINTERRUPTIBLE); }
#ifdef NO_BARRIER
#undef smp_mb__after_atomic
#define smp_mb__after_atomic() barrier()
#endif
static void waker(void) { clear_bit_unlock(0, &word); smp_mb__after_atomic(); wake_up_bit(&word, 0); }

HMC_TEST(no_wake_up_is_missed)
{
	init_waitqueue_head(bit_waitqueue(&word, 0));
	hmc_cpu(0, sleeper);
	hmc_cpu(1, waker);
	hmc_join();
}
