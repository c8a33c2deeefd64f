// hmc: --cat lkmm slow => holds executions=6
// hmc: --cat aarch64 => holds executions=6
// broken: kernel/irq_work.c: oflags = atomic_fetch_or(IRQ_WORK_CLAIMED | CSD_TYPE_IRQ_WORK, &work->node.a_flags) -> oflags = atomic_read(&work->node.a_flags); if (!(oflags & IRQ_WORK_PENDING)) oflags = atomic_fetch_or(IRQ_WORK_CLAIMED | CSD_TYPE_IRQ_WORK, &work->node.a_flags) => violated assertion
#include "kernel/irq_work.c"
#include <hmc/linux.h>

static int data, seen;
static void handler(struct irq_work *work) { seen = READ_ONCE(data); }
static struct irq_work work = { .node.u_flags = IRQ_WORK_PENDING, .func = handler };
static int queued;

static void queuer(void) { WRITE_ONCE(data, 1); queued = irq_work_claim(&work); }
static void runner(void) { irq_work_single(&work); }

HMC_TEST(data_is_seen_or_queued_again)
{
	atomic_set(&work.node.a_flags, IRQ_WORK_PENDING | IRQ_WORK_BUSY);
	hmc_cpu(0, queuer);
	hmc_cpu(1, runner);
	hmc_join();
	BUG_ON(!queued && !seen);
}
