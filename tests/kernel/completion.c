// hmc: --cat sc,tso => holds executions=2
// hmc: --cat aarch64 slow => holds executions=2
#include <hmc/sched.h>
#include "kernel/sched/swait.c"
#include "kernel/sched/completion.c"
#include <hmc/linux.h>

static DECLARE_COMPLETION(done);
static int data;

static void waiter(void) { wait_for_completion(&done); BUG_ON(!data); }
static void completer(void) { data = 1; complete(&done); }

HMC_TEST(data_is_there) { hmc_cpu(0, waiter); hmc_cpu(1, completer); hmc_join(); }
