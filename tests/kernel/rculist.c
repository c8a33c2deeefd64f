// hmc: --cat lkmm => holds executions=3
// broken: include/linux/rculist.h: rcu_assign_pointer(list_next_rcu(prev), new) -> (list_next_rcu(prev) = new) => violated race
// hmc: --cat lkmm -- -DNO_GRACE_PERIOD => violated
#include <linux/rculist.h>
#include <hmc/linux.h>
#ifdef NO_GRACE_PERIOD
#define synchronize_rcu() barrier()
#endif

static struct item { struct list_head list; int value; } items[2];
static LIST_HEAD(list);

static void updater(void)
{
	items[1].value = 1;
	list_add_rcu(&items[1].list, &list);
	list_del_rcu(&items[0].list);
	synchronize_rcu();
	items[0].value = 0;
}
static void reader(void)
{
	struct item *item;

	rcu_read_lock();
	list_for_each_entry_rcu(item, &list, list)
		BUG_ON(!item->value);
	rcu_read_unlock();
}

HMC_TEST(items_are_whole) { items[0].value = 1; list_add(&items[0].list, &list); hmc_cpu(0, updater); hmc_cpu(1, reader); hmc_join(); }
