#ifndef HMC_ASM_IRQ_WORK_H
#define HMC_ASM_IRQ_WORK_H
static inline bool arch_irq_work_has_interrupt(void) { return true; }
#endif
