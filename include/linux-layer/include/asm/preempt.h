/* The count is kept outside of memory. Without it a grace period cannot end (Documentation/RCU/whatisRCU.rst): a section is a reader of RCU. */
#ifndef HMC_ASM_PREEMPT_H
#define HMC_ASM_PREEMPT_H
#include <hmc/primitives.h>
#include <linux/thread_info.h>
#define PREEMPT_ENABLED 0
#define preempt_count() ((int)__hmc_word(HMC_PREEMPT))
#define preempt_count_set(count) __hmc_set_word(HMC_PREEMPT, count)
#define init_task_preempt_count(p) ((void)0)
#define init_idle_preempt_count(p, cpu) ((void)0)
#define set_preempt_need_resched() ((void)0)
#define clear_preempt_need_resched() ((void)0)
#define test_preempt_need_resched() 0
static __always_inline void __preempt_count_add(int by)
{
	__hmc_set_word(HMC_PREEMPT, __hmc_word(HMC_PREEMPT) + by);
	hmc_rcu_disabled();
}
static __always_inline void __preempt_count_sub(int by)
{
	hmc_rcu_enabled();
	__hmc_set_word(HMC_PREEMPT, __hmc_word(HMC_PREEMPT) - by);
}
static __always_inline int __preempt_count_dec_and_test(void)
{
	__preempt_count_sub(1);
	return 0;
}
#define should_resched(offset) 0
#endif
