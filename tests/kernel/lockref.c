// hmc: --cat sc,tso,aarch64,lkmm => holds executions=4
#include "lib/lockref.c"
#include <hmc/linux.h>

static struct lockref ref = { .lock = __SPIN_LOCK_UNLOCKED(ref.lock), .count = 1 };

static void getter(void) { lockref_get(&ref); }
static void putter(void) { lockref_put_return(&ref); }

HMC_TEST(counts) { hmc_cpu(0, getter); hmc_cpu(1, getter); hmc_join(); BUG_ON(ref.count != 3); }
