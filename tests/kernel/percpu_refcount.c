// hmc: --cat lkmm slow => violated race
#include "lib/find_bit.c"
#include <hmc/sched.h>
#include "kernel/sched/wait.c"
#include "lib/percpu-refcount.c"
#include <hmc/linux.h>

static struct percpu_ref ref;
static int released, data;
static void release(struct percpu_ref *r) { BUG_ON(READ_ONCE(data) != 1); WRITE_ONCE(released, 1); }

static void user(void)
{
	if (percpu_ref_tryget(&ref)) {
		BUG_ON(READ_ONCE(released));
		percpu_ref_put(&ref);
	}
}
static void killer(void) { WRITE_ONCE(data, 1); percpu_ref_kill(&ref); }

HMC_TEST(no_use_behind_release) { percpu_ref_init(&ref, release, 0, GFP_KERNEL); hmc_cpu(0, user); hmc_cpu(1, killer); hmc_join(); }
