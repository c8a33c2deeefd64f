// hmc: --cat sc,lkmm => holds executions=3
// hmc: --cat aarch64 => holds executions=3
// broken: include/linux/rhashtable.h: rcu_assign_pointer(*bkt, (void *)obj) -> WRITE_ONCE(*bkt, (struct rhash_lock_head *)obj) => violated race
#include "lib/rhashtable.c"
#include <hmc/linux.h>

static struct item { int key; struct rhash_head node; } item;
static const struct rhashtable_params params = {
	.key_len = sizeof(int), .key_offset = offsetof(struct item, key), .head_offset = offsetof(struct item, node),
	.min_size = 4, .nelem_hint = 2,
};
static struct rhashtable table;

static void inserter(void) { item.key = 1; BUG_ON(rhashtable_insert_fast(&table, &item.node, params)); }
static void reader(void)
{
	struct item *at;
	int key = 1;

	rcu_read_lock();
	at = rhashtable_lookup(&table, &key, params);
	BUG_ON(at && at->key != 1);
	rcu_read_unlock();
}

HMC_TEST(items_are_whole) { BUG_ON(rhashtable_init(&table, &params)); hmc_cpu(0, inserter); hmc_cpu(1, reader); hmc_join(); }
