// hmc: --cat lkmm --test items_are_whole => holds executions=24
// hmc: --cat aarch64 --test items_are_whole slow => holds executions=24
// broken: lib/llist.c: try_cmpxchg( -> try_cmpxchg_relaxed( -- --test items_are_whole => violated race
// broken: include/linux/llist.h: return xchg(&head->first -> return xchg_relaxed(&head->first -- --test one_item_is_whole slow => holds executions=3
#include "lib/llist.c"
#include <hmc/linux.h>

static struct item { struct llist_node node; int value; } items[2];
static LLIST_HEAD(list);

static void add(struct item *item) { item->value = 1; llist_add(&item->node, &list); }
static void first(void) { add(&items[0]); }
static void second(void) { add(&items[1]); }
static void take(void)
{
	struct item *item;

	llist_for_each_entry(item, llist_del_all(&list), node)
		BUG_ON(item->value != 1);
}

HMC_TEST(items_are_whole) { hmc_cpu(0, first); hmc_cpu(1, second); hmc_cpu(2, take); hmc_join(); }

/* Of several items, the next one is found by a plain read, from which no dependency orders to the model. */
HMC_TEST(one_item_is_whole) { hmc_cpu(0, first); hmc_cpu(1, take); hmc_join(); }
