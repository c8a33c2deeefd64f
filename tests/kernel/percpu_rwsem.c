// hmc: --cat lkmm slow => violated race
#include "lib/find_bit.c"
#include <hmc/sched.h>
#include "kernel/sched/wait.c"
#include "kernel/rcu/sync.c"
#include "kernel/locking/percpu-rwsem.c"
#include <hmc/linux.h>

static DEFINE_STATIC_PERCPU_RWSEM(sem);
static int x;

static void writer(void) { percpu_down_write(&sem); x = 1; x = 0; percpu_up_write(&sem); }
static void reader(void) { percpu_down_read(&sem); BUG_ON(x); percpu_up_read(&sem); }

HMC_TEST(reader_sees_no_half) { hmc_cpu(0, writer); hmc_cpu(1, reader); hmc_join(); }
