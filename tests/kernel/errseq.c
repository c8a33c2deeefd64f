// hmc: --cat lkmm => holds executions=3
// hmc: --cat aarch64 => holds executions=3
#include "lib/errseq.c"
#include <hmc/linux.h>

static errseq_t error;
static int first, second;

static void setter(void) { errseq_set(&error, -5); }
static void checker(void)
{
	errseq_t since = 0;

	first = errseq_check_and_advance(&error, &since);
	second = errseq_check_and_advance(&error, &since);
}

HMC_TEST(told_once) { hmc_cpu(0, setter); hmc_cpu(1, checker); hmc_join(); BUG_ON(first && second); }
