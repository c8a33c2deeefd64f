/* Where an interrupt may come: at each operation of the layer while interrupts are on. The handler runs once at most, nested in the thread of its
 * processor (docs/kernel.md). A test that has handlers defines HMC_INTERRUPTS as 1 in its first line; in others nothing is done here. */
#ifndef HMC_INTERRUPT_H
#define HMC_INTERRUPT_H
#include <hmc/primitives.h>
#define __hmc_joined(a, b) a##b
#define __hmc_join_words(a, b) __hmc_joined(a, b)
#define __hmc_interrupt_0() ((void)0)
#define __hmc_interrupt_1() ({ if (__hmc_word(HMC_HANDLER) && !__hmc_word(HMC_IRQS_OFF)) hmc_interrupt_here(); })
#define hmc_interrupt() __hmc_join_words(__hmc_interrupt_, __is_defined(HMC_INTERRUPTS))()
static __attribute__((unused)) void hmc_interrupt_here(void)
{
	void (*handler)(void) = (void (*)(void))__hmc_word(HMC_HANDLER);

	if (!hmc_choose())
		return;
	__hmc_set_word(HMC_HANDLER, 0);
	__hmc_set_word(HMC_IRQS_OFF, 1);
	__hmc_set_word(HMC_PREEMPT, __hmc_word(HMC_PREEMPT) + HMC_HARDIRQ);
	hmc_rcu_disabled();
	handler();
	hmc_rcu_enabled();
	__hmc_set_word(HMC_PREEMPT, __hmc_word(HMC_PREEMPT) - HMC_HARDIRQ);
	__hmc_set_word(HMC_IRQS_OFF, 0);
}
#endif
