#ifndef HMC_ASM_SMP_H
#define HMC_ASM_SMP_H
#include <hmc/primitives.h>
#define raw_smp_processor_id() ((unsigned int)__hmc_word(HMC_CPU))
#define __smp_processor_id() raw_smp_processor_id()
struct cpumask;
extern void arch_send_call_function_single_ipi(int cpu);
extern void arch_send_call_function_ipi_mask(const struct cpumask *mask);
#endif
