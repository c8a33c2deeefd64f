// hmc: --cat lkmm slow => holds executions=2
// hmc: --cat aarch64 => holds executions=2
#include "lib/once.c"
#include <hmc/linux.h>

static int count;
static bool done;
static DEFINE_STATIC_KEY_TRUE(key);

static void user(void)
{
	unsigned long flags;

	if (__do_once_start(&done, &flags)) {
		count++;
		done = true;
		spin_unlock_irqrestore(&once_lock, flags);
	}
}

HMC_TEST(runs_once) { hmc_cpu(0, user); hmc_cpu(1, user); hmc_join(); BUG_ON(count != 1); }
