/* Documentation/dev-tools/kcsan.rst: regions whose plain accesses are intended to race. In them these count as marked (READ_ONCE, WRITE_ONCE). */
#include <linux/kcsan-checks.h>

HMC_OWN void hmc_mark_more(long by)
{
	__hmc_set_word(HMC_MARKED, __hmc_word(HMC_MARKED) + by);
	__hmc_mark_plain(__hmc_word(HMC_MARKED) + __hmc_word(HMC_MARKED_NEXT));
}

/* The next n accesses, which are as many as there are up to the end of the region; 0 is its end. */
HMC_OWN void kcsan_atomic_next(int n)
{
	__hmc_set_word(HMC_MARKED_NEXT, n > 0);
	__hmc_mark_plain(__hmc_word(HMC_MARKED) + __hmc_word(HMC_MARKED_NEXT));
}

HMC_OWN void kcsan_nestable_atomic_begin(void) { hmc_mark_more(1); }
HMC_OWN void kcsan_nestable_atomic_end(void) { hmc_mark_more(-1); }
HMC_OWN void kcsan_flat_atomic_begin(void) { hmc_mark_more(1); }
HMC_OWN void kcsan_flat_atomic_end(void) { hmc_mark_more(-1); }
/* data_race() */
HMC_OWN void kcsan_disable_current(void) { hmc_mark_more(1); }
HMC_OWN void kcsan_enable_current(void) { hmc_mark_more(-1); }
HMC_OWN void kcsan_enable_current_nowarn(void) { hmc_mark_more(-1); }
#ifndef __kcsan_disable_current
HMC_OWN void __kcsan_disable_current(void) { hmc_mark_more(1); }
HMC_OWN void __kcsan_enable_current(void) { hmc_mark_more(-1); }
#endif
/* What must not be written by others at all is not looked at. */
HMC_OWN void __kcsan_check_access(const volatile void *at, size_t size, int type) { }
