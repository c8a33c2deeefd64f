// hmc: --cat lkmm slow => holds executions=2
// hmc: --cat aarch64 => holds executions=2
// broken: include/linux/rcuref.h: atomic_sub_return_release(1 -> atomic_sub_return_relaxed(1 => violated
#include "lib/rcuref.c"
#include <hmc/linux.h>

static struct object { rcuref_t refs; int data; } *object;

static void reader(void)
{
	BUG_ON(!object->data);
	if (rcuref_put(&object->refs))
		kfree(object);
}

HMC_TEST(last_one_frees)
{
	object = kmalloc(sizeof(*object), GFP_KERNEL);
	object->data = 1;
	rcuref_init(&object->refs, 2);
	hmc_cpu(0, reader);
	hmc_cpu(1, reader);
	hmc_join();
}
