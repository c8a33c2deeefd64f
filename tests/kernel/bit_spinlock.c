// hmc: --cat lkmm slow => holds executions=4
// hmc: --cat aarch64 => holds executions=4
// broken: include/linux/bit_spinlock.h: test_and_set_bit_lock( -> test_and_change_bit( => violated
// broken: include/linux/bit_spinlock.h: clear_bit_unlock( -> clear_bit( => violated race
#include <linux/bit_spinlock.h>
#include <hmc/linux.h>

static unsigned long word;
static int counter;

static void locker(void) { bit_spin_lock(0, &word); counter++; bit_spin_unlock(0, &word); }

HMC_TEST(counts) { hmc_cpu(0, locker); hmc_cpu(1, locker); hmc_join(); BUG_ON(counter != 2); }
