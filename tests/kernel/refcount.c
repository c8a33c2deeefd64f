// hmc: --cat lkmm => holds executions=2
// hmc: --cat aarch64 => holds executions=2
// broken: include/linux/refcount.h: fetch_sub_release(i -> fetch_sub_relaxed(i => violated
#include <linux/refcount.h>
#include <hmc/linux.h>

static struct object { refcount_t refs; int data; } *object;

static void reader(void) { BUG_ON(!object->data); if (refcount_dec_and_test(&object->refs)) kfree(object); }

HMC_TEST(last_one_frees)
{
	object = kmalloc(sizeof(*object), GFP_KERNEL);
	object->data = 1;
	refcount_set(&object->refs, 2);
	hmc_cpu(0, reader);
	hmc_cpu(1, reader);
	hmc_join();
}
