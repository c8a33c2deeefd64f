// hmc: --cat lkmm slow => holds executions=1
// hmc: --cat aarch64 slow => holds executions=1
// broken: kernel/smp.c @static void csd_lock_record(call_single_data_t *csd): smp_cond_load_acquire( -> smp_cond_load_relaxed( -- slow => violated race
// broken: kernel/smp.c: smp_store_release(&csd->node.u_flags, 0) -> WRITE_ONCE(csd->node.u_flags, 0) => violated race
#include "lib/llist.c"
#include "kernel/smp.c"
#include <hmc/linux.h>

static int result;
static void remote(void *given) { result = *(int *)given; }
static call_single_data_t csd = { .node.u_flags = CSD_TYPE_SYNC };
static int raised;

void arch_send_call_function_single_ipi(int cpu) { smp_store_release(&raised, 1); }
static void caller(void)
{
	int given = 5;

	csd.func = remote;
	csd.info = &given;
	csd_lock(&csd);
	if (llist_add(&csd.node.llist, &per_cpu(call_single_queue, 1)))
		arch_send_call_function_single_ipi(1);
	csd_lock_wait(&csd);
	BUG_ON(result != 5);
}
static void other(void) { while (!smp_load_acquire(&raised)) ; __flush_smp_call_function_queue(false); }

HMC_TEST(caller_waits) { hmc_cpu(0, caller); hmc_cpu(1, other); hmc_join(); }
