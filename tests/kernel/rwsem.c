// hmc: --cat lkmm --test reader_sees_both slow => holds executions=27
// hmc: --cat lkmm --test writers_count slow => holds executions=10
// hmc: --cat aarch64 --test reader_sees_both slow => holds executions=27
// hmc: --cat aarch64 --test writers_count slow => holds executions=10
// broken: kernel/locking/rwsem.c: smp_load_acquire(&waiter.task) -> READ_ONCE(waiter.task) -- --test reader_sees_both slow => violated
// broken: kernel/locking/rwsem.c: try_cmpxchg_acquire(&sem->count, &tmp, RWSEM -> try_cmpxchg_relaxed(&sem->count, &tmp, RWSEM -- --test writers_count slow => violated race
// broken: kernel/locking/rwsem.c: fetch_add_release(-RWSEM_WRITER -> fetch_add_relaxed(-RWSEM_WRITER -- --test writers_count slow => violated race
// broken: kernel/locking/rwsem.c: smp_store_release(&waiter->task -> smp_store_mb(waiter->task -- --test reader_sees_both slow => violated memory
#include "kernel/locking/rwsem.c"
#include <hmc/linux.h>

static DECLARE_RWSEM(sem);
static int x, y;

static void writer(void) { down_write(&sem); x++; y++; up_write(&sem); }
static void reader(void) { down_read(&sem); BUG_ON(x != y); up_read(&sem); }

HMC_TEST(reader_sees_both) { hmc_cpu(0, writer); hmc_cpu(1, reader); hmc_join(); }
HMC_TEST(writers_count) { hmc_cpu(0, writer); hmc_cpu(1, writer); hmc_join(); BUG_ON(x != 2); }
