// hmc: --cat lkmm => holds executions=2
// hmc: --cat aarch64 => holds executions=2
// broken: include/linux/rculist_nulls.h @hlist_nulls_add_head_rcu: rcu_assign_pointer(hlist_nulls_first_rcu(h), n) -> WRITE_ONCE(h->first, n) => violated race
#include <linux/rculist.h>
#include <linux/rculist_nulls.h>
#include <hmc/linux.h>

static struct item { struct hlist_nulls_node node; int value; } item;
static struct hlist_nulls_head head;

static void updater(void) { item.value = 1; hlist_nulls_add_head_rcu(&item.node, &head); }
static void reader(void)
{
	struct item *at;
	struct hlist_nulls_node *node;

	rcu_read_lock();
	hlist_nulls_for_each_entry_rcu(at, node, &head, node)
		BUG_ON(!at->value);
	rcu_read_unlock();
}

HMC_TEST(items_are_whole) { INIT_HLIST_NULLS_HEAD(&head, 1); hmc_cpu(0, updater); hmc_cpu(1, reader); hmc_join(); }
