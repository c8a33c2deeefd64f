// hmc: --cat lkmm,aarch64 slow => holds executions=6
#include "kernel/printk/printk_ringbuffer.c"
#include <hmc/linux.h>

DEFINE_PRINTKRB(rb, 2, 3);
bool panic_on_this_cpu(void) { return false; }

static void writer(void)
{
	struct prb_reserved_entry entry;
	struct printk_record record;

	prb_rec_init_wr(&record, 1);
	if (!prb_reserve(&entry, &rb, &record))
		return;
	record.text_buf[0] = 'x';
	record.info->text_len = 1;
	prb_final_commit(&entry);
}
static void reader(void)
{
	struct printk_info info;
	struct printk_record record;
	char text[8];

	prb_rec_init_rd(&record, &info, text, sizeof(text));
	if (prb_read_valid(&rb, 0, &record))
		BUG_ON(record.info->text_len != 1 || text[0] != 'x');
}

HMC_TEST(records_are_whole) { hmc_cpu(0, writer); hmc_cpu(1, reader); hmc_join(); }
