// hmc: --cat sc --test reader_sees_both => holds executions=8
// hmc: --cat sc --test writers_count => holds executions=8
// hmc: --cat aarch64,lkmm --test reader_sees_both slow => holds executions=8
// hmc: --cat aarch64,lkmm --test writers_count slow => holds executions=8
#include "kernel/locking/qrwlock.c"
#include <hmc/linux.h>

static DEFINE_RWLOCK(lock);
static int x, y;

static void writer(void) { write_lock(&lock); x++; y++; write_unlock(&lock); }
static void reader(void) { read_lock(&lock); BUG_ON(x != y); read_unlock(&lock); }

HMC_TEST(reader_sees_both) { hmc_cpu(0, writer); hmc_cpu(1, reader); hmc_join(); }
HMC_TEST(writers_count) { hmc_cpu(0, writer); hmc_cpu(1, writer); hmc_join(); BUG_ON(x != 2); }
