// hmc: --cat lkmm => violated race
// hmc: --cat lkmm --plain once slow => holds executions=2
// hmc: --cat aarch64 => holds executions=2
// broken: include/linux/ptr_ring.h: smp_wmb() -> (void)0 -- --plain once => violated assertion
// broken: include/linux/ptr_ring.h: smp_wmb() -> (void)0 -- --cat aarch64 => violated assertion
#include <linux/ptr_ring.h>
#include <hmc/linux.h>

static struct ptr_ring ring;
static void *slots[2];
static int item;

static void producer(void) { item = 1; __ptr_ring_produce(&ring, &item); }
static void consumer(void)
{
	int *got = __ptr_ring_consume(&ring);

	BUG_ON(got && *got != 1);
}

HMC_TEST(items_are_whole)
{
	ring.queue = slots;
	ring.size = 2;
	ring.batch = 1;
	hmc_cpu(0, producer);
	hmc_cpu(1, consumer);
	hmc_join();
}
