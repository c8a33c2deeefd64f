// hmc: --cat lkmm slow => holds executions=2
// hmc: --cat aarch64 slow => holds executions=2
// broken: io_uring/io_uring.h: smp_load_acquire(&rings->sq.tail) -> READ_ONCE(rings->sq.tail) -- slow => violated race
#define CONFIG_IO_URING 1
#include "io_uring/io_uring.c"
#include <hmc/linux.h>

static struct io_rings rings;
static struct io_uring_sqe sqes[2];
static u32 array[2];
static struct io_ring_ctx ctx = { .rings = &rings, .sq_sqes = sqes, .sq_array = array, .sq_entries = 2 };

static void user(void)
{
	sqes[0].len = 1;
	WRITE_ONCE(array[0], 0);
	smp_store_release(&rings.sq.tail, 1);
}
static void kernel(void)
{
	const struct io_uring_sqe *sqe;

	if (io_sqring_entries(&ctx) && io_get_sqe(&ctx, &sqe))
		BUG_ON(READ_ONCE(sqe->len) != 1);
}

HMC_TEST(entries_are_whole) { hmc_cpu(0, user); hmc_cpu(1, kernel); hmc_join(); }
