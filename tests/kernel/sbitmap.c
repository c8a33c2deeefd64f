// hmc: --cat lkmm slow => violated race
// hmc: --cat aarch64 slow => holds executions=2
#include "lib/find_bit.c"
#include "lib/sbitmap.c"
#include <hmc/linux.h>

static struct sbitmap map;
static struct sbitmap_word words[1];
static unsigned int hint[4];
static int got[2];

static void getter(void) { got[smp_processor_id()] = __sbitmap_get(&map, 0); }

HMC_TEST(bits_are_given_once)
{
	map.depth = 2; map.shift = 1; map.map_nr = 1; map.round_robin = true; map.map = words;
	hmc_cpu(0, getter);
	hmc_cpu(1, getter);
	hmc_join();
	BUG_ON(got[0] == got[1]);
}
