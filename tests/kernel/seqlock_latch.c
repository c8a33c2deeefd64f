// hmc: --cat lkmm => violated race
// hmc: --cat lkmm --plain once => holds executions=3
// hmc: --cat aarch64 => holds executions=3
// broken: include/linux/seqlock.h @raw_write_seqcount_latch(seqcount_latch_t: smp_wmb() -> (void)0 -- --plain once => violated assertion
#include <linux/seqlock.h>
#include <hmc/linux.h>

static seqcount_latch_t latch = SEQCNT_LATCH_ZERO(latch);
static struct { int x, y; } data[2];

static void writer(void)
{
	raw_write_seqcount_latch(&latch);
	data[0].x = 1; data[0].y = 1;
	raw_write_seqcount_latch(&latch);
	data[1].x = 1; data[1].y = 1;
}
static void reader(void)
{
	unsigned int seq;
	int a, b;

	do {
		seq = raw_read_seqcount_latch(&latch);
		a = data[seq & 1].x;
		b = data[seq & 1].y;
	} while (raw_read_seqcount_latch_retry(&latch, seq));
	BUG_ON(a != b);
}

HMC_TEST(reader_sees_both) { hmc_cpu(0, writer); hmc_cpu(1, reader); hmc_join(); }
