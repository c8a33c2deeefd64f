// hmc: --cat lkmm,aarch64 --test against_irqsave => holds executions=8
// hmc: --cat lkmm,aarch64 --test against_plain_lock => violated liveness
// hmc: --cat lkmm,aarch64 --test between_two_writes => holds executions=5
// hmc: --cat lkmm,aarch64 --test not_while_off => holds executions=3
#define HMC_INTERRUPTS 1
#include <linux/spinlock.h>
#include <hmc/linux.h>

static DEFINE_SPINLOCK(lock);
static int counter, x, y, seen_x, seen_y;

static void add(void) { spin_lock(&lock); counter++; spin_unlock(&lock); }
static void add_without_interrupts(void) { unsigned long flags; spin_lock_irqsave(&lock, flags); counter++; spin_unlock_irqrestore(&lock, flags); }
static void look(void) { BUG_ON(!in_hardirq()); seen_x = READ_ONCE(x); seen_y = READ_ONCE(y); }
static void write_two(void) { WRITE_ONCE(x, 1); WRITE_ONCE(y, 1); smp_mb(); }
static void write_two_off(void) { local_irq_disable(); WRITE_ONCE(x, 1); WRITE_ONCE(y, 1); local_irq_enable(); }

HMC_TEST(against_irqsave) { hmc_irq(0, add); hmc_cpu(0, add_without_interrupts); hmc_cpu(1, add_without_interrupts); hmc_join(); }
HMC_TEST(against_plain_lock) { hmc_irq(0, add); hmc_cpu(0, add); hmc_join(); }
HMC_TEST(between_two_writes) { hmc_irq(0, look); hmc_cpu(0, write_two); hmc_join(); BUG_ON(seen_y && !seen_x); }
HMC_TEST(not_while_off) { hmc_irq(0, look); hmc_cpu(0, write_two_off); hmc_join(); BUG_ON(seen_x != seen_y); }
