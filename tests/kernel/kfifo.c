// hmc: --cat lkmm => violated race
// hmc: --cat lkmm --plain once => violated assertion
// hmc: --cat aarch64 => violated assertion
#include "lib/kfifo.c"
#include <hmc/linux.h>

static DEFINE_KFIFO(fifo, int, 2);

static void producer(void) { kfifo_put(&fifo, 1); }
static void consumer(void) { int got; if (kfifo_get(&fifo, &got)) BUG_ON(got != 1); }

HMC_TEST(items_are_whole) { hmc_cpu(0, producer); hmc_cpu(1, consumer); hmc_join(); }
