/* Whether interrupts are off is kept outside of memory. A section without them is a reader of RCU, too. */
#ifndef HMC_ASM_IRQFLAGS_H
#define HMC_ASM_IRQFLAGS_H
#include <hmc/primitives.h>
#include <hmc/interrupt.h>
#define ARCH_IRQ_DISABLED 1
#define ARCH_IRQ_ENABLED 0
static inline unsigned long arch_local_save_flags(void) { return __hmc_word(HMC_IRQS_OFF); }
static inline void arch_local_irq_restore(unsigned long flags)
{
	if (!flags && __hmc_word(HMC_IRQS_OFF))
		hmc_rcu_enabled();
	if (flags && !__hmc_word(HMC_IRQS_OFF))
		hmc_rcu_disabled();
	__hmc_set_word(HMC_IRQS_OFF, flags);
	hmc_interrupt();
}
#include <asm-generic/irqflags.h>
#endif
