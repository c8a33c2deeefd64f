// hmc: --cat lkmm slow => holds executions=2
// hmc: --cat aarch64 => holds executions=2
// broken: kernel/events/ring_buffer.c: smp_wmb(); /* B -> (void)0; /* B => violated race
#define CONFIG_PERF_EVENTS 1
#include "kernel/events/ring_buffer.c"
#include <hmc/linux.h>

static struct perf_event_mmap_page page;
static struct perf_buffer rb = { .user_page = &page };
static struct perf_output_handle handle = { .rb = &rb };
static int record;

static void writer(void)
{
	perf_output_get_handle(&handle);
	record = 1;
	local_add(8, &rb.head);
	handle.wakeup = local_read(&rb.wakeup);
	perf_output_put_handle(&handle);
}
static void reader(void) { if (READ_ONCE(page.data_head)) { smp_rmb(); BUG_ON(record != 1); } }

HMC_TEST(records_are_whole) { hmc_cpu(0, writer); hmc_cpu(1, reader); hmc_join(); }
