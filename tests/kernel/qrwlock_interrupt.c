// hmc: --cat sc slow => holds executions=29
// hmc: --cat aarch64 slow => holds executions=29
// broken: kernel/locking/qrwlock.c @VAL == _QW_WAITING: atomic_try_cmpxchg_acquire( -> atomic_try_cmpxchg_relaxed( -- --cat aarch64 => violated assertion
#define HMC_INTERRUPTS 1
#include "kernel/locking/qrwlock.c"
#include <hmc/linux.h>

static DEFINE_RWLOCK(lock);
static int x, y, seen_x = 1, seen_y;

/* A reader in an interrupt passes a writer that waits. */
static void writer(void) { write_lock(&lock); WRITE_ONCE(x, 1); seen_y = READ_ONCE(y); write_unlock(&lock); }
static void task(void) {}
static void readers(void)
{
	read_lock(&lock); read_unlock(&lock);
	read_lock(&lock); WRITE_ONCE(y, 1); seen_x = READ_ONCE(x); read_unlock(&lock);
}

HMC_TEST(one_comes_first) { hmc_irq(1, readers); hmc_cpu(1, task); hmc_cpu(0, writer); hmc_join(); BUG_ON(!seen_x && !seen_y); }
