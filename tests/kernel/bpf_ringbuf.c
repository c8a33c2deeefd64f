// hmc: --cat lkmm slow => holds executions=3
// hmc: --cat aarch64 slow => holds executions=3
// broken: kernel/bpf/ringbuf.c: xchg( -> xchg_relaxed( -- slow => violated race
#define CONFIG_BPF_SYSCALL 1
#include "kernel/bpf/ringbuf.c"
#include <hmc/linux.h>

static struct bpf_ringbuf *rb;

static void producer(void)
{
	int *record = __bpf_ringbuf_reserve(rb, sizeof(int));

	*record = 1;
	bpf_ringbuf_commit(record, BPF_RB_NO_WAKEUP, false);
}
static void consumer(void)
{
	struct bpf_ringbuf_hdr *hdr = (void *)rb->data;

	if (smp_load_acquire(&rb->producer_pos) && !(smp_load_acquire(&hdr->len) & BPF_RINGBUF_BUSY_BIT))
		BUG_ON(*(int *)(hdr + 1) != 1);
}

HMC_TEST(records_are_whole)
{
	rb = (void *)(((unsigned long)kzalloc(6 * PAGE_SIZE, GFP_KERNEL) + PAGE_SIZE) & PAGE_MASK);
	rb->mask = PAGE_SIZE - 1;
	hmc_cpu(0, producer);
	hmc_cpu(1, consumer);
	hmc_join();
}
