// hmc: --cat lkmm => holds executions=2
// hmc: --cat aarch64 => holds executions=2
// broken: include/linux/seqlock.h @do_read_seqcount_retry: smp_rmb() -> (void)0 => violated assertion
// broken: include/linux/seqlock.h @do_raw_write_seqcount_end: smp_wmb() -> (void)0 => violated assertion
#include <linux/seqlock.h>
#include <hmc/linux.h>

static DEFINE_SEQLOCK(lock);
static int x, y;

static void writer(void) { write_seqlock(&lock); x = 1; y = 1; write_sequnlock(&lock); }
static void reader(void)
{
	unsigned int seq;
	int a, b;

	do {
		seq = read_seqbegin(&lock);
		a = x;
		b = y;
	} while (read_seqretry(&lock, seq));
	BUG_ON(a != b);
}

HMC_TEST(reader_sees_both) { hmc_cpu(0, writer); hmc_cpu(1, reader); hmc_join(); }
