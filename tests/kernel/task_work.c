// hmc: --cat lkmm slow => holds executions=28
// hmc: --cat aarch64 slow => holds executions=28
// broken: kernel/task_work.c: try_cmpxchg( -> try_cmpxchg_relaxed( -- slow => violated race
#include "kernel/task_work.c"
#include <hmc/linux.h>

static struct item { struct callback_head head; int value; } items[2];
static int runs;
static void run(struct callback_head *head) { runs += container_of(head, struct item, head)->value; }

static void add(struct item *item)
{
	item->value = 1;
	init_task_work(&item->head, run);
	if (task_work_add(&hmc_tasks[3], &item->head, TWA_NONE))
		item->value = 2;
}
static void first(void) { add(&items[0]); }
static void second(void) { add(&items[1]); }

HMC_TEST(all_run) { hmc_cpu(0, first); hmc_cpu(1, second); hmc_cpu(2, task_work_run); hmc_join(); BUG_ON(runs > 2); }
