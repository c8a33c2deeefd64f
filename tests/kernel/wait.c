// hmc: --cat lkmm slow => holds executions=9
// hmc: --cat aarch64 slow => holds executions=9
// broken: kernel/sched/wait.c @prepare_to_wait_event: set_current_state(state) -> __set_current_state(state) -- slow => holds
// broken: include/linux/list.h: smp_store_release(&entry->next, entry) -> WRITE_ONCE(entry->next, entry) -- slow => holds
// broken: include/linux/list.h: smp_load_acquire(&head->next) -> READ_ONCE(head->next) => violated
#include <hmc/sched.h>
#include "kernel/sched/wait.c"
#include <hmc/linux.h>

static DECLARE_WAIT_QUEUE_HEAD(queue);
static int ready;

static void sleeper(void) { wait_event(queue, READ_ONCE(ready)); }
static void waker(void) { WRITE_ONCE(ready, 1); wake_up(&queue); }

HMC_TEST(no_wake_up_is_missed) { hmc_cpu(0, sleeper); hmc_cpu(1, waker); hmc_join(); }
