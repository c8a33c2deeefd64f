/* Each processor has its own instance of a variable in a section of these, at a fixed distance, which hmc lays out. What is for the running processor
 * only is one instruction on real machines: a marked access, not a plain one. */
#ifndef HMC_ASM_PERCPU_H
#define HMC_ASM_PERCPU_H
#include <asm/smp.h>
#ifndef __ASSEMBLY__
extern char __hmc_per_cpu[CONFIG_NR_CPUS];
#define __per_cpu_offset __per_cpu_offset
#define per_cpu_offset(cpu) ((unsigned long)(cpu) * (unsigned long)__hmc_per_cpu)
#define __my_cpu_offset per_cpu_offset(raw_smp_processor_id())
#define __hmc_own(pcp) (*raw_cpu_ptr(&(pcp)))
#define __hmc_own_read(pcp) READ_ONCE(__hmc_own(pcp))
#define __hmc_own_write(pcp, v) WRITE_ONCE(__hmc_own(pcp), v)
#define __hmc_own_op(pcp, op, v) ({ __typeof__(&(pcp)) __hmc_p = raw_cpu_ptr(&(pcp)); WRITE_ONCE(*__hmc_p, READ_ONCE(*__hmc_p) op (v)); })
#define __hmc_own_add_return(pcp, v) ({ __hmc_own_op(pcp, +, v); __hmc_own_read(pcp); })
#define __hmc_own_xchg(pcp, v) ({ __typeof__(pcp) __hmc_o = __hmc_own_read(pcp); __hmc_own_write(pcp, v); __hmc_o; })
#define __hmc_own_cmpxchg(pcp, o, v) ({ __typeof__(pcp) __hmc_o = __hmc_own_read(pcp); if (__hmc_o == (o)) __hmc_own_write(pcp, v); __hmc_o; })
#define this_cpu_read_1(pcp) __hmc_own_read(pcp)
#define this_cpu_write_1(pcp, v) __hmc_own_write(pcp, v)
#define this_cpu_add_1(pcp, v) __hmc_own_op(pcp, +, v)
#define this_cpu_and_1(pcp, v) __hmc_own_op(pcp, &, v)
#define this_cpu_or_1(pcp, v) __hmc_own_op(pcp, |, v)
#define this_cpu_add_return_1(pcp, v) __hmc_own_add_return(pcp, v)
#define this_cpu_xchg_1(pcp, v) __hmc_own_xchg(pcp, v)
#define this_cpu_cmpxchg_1(pcp, o, v) __hmc_own_cmpxchg(pcp, o, v)
#define this_cpu_read_2(pcp) __hmc_own_read(pcp)
#define this_cpu_write_2(pcp, v) __hmc_own_write(pcp, v)
#define this_cpu_add_2(pcp, v) __hmc_own_op(pcp, +, v)
#define this_cpu_and_2(pcp, v) __hmc_own_op(pcp, &, v)
#define this_cpu_or_2(pcp, v) __hmc_own_op(pcp, |, v)
#define this_cpu_add_return_2(pcp, v) __hmc_own_add_return(pcp, v)
#define this_cpu_xchg_2(pcp, v) __hmc_own_xchg(pcp, v)
#define this_cpu_cmpxchg_2(pcp, o, v) __hmc_own_cmpxchg(pcp, o, v)
#define this_cpu_read_4(pcp) __hmc_own_read(pcp)
#define this_cpu_write_4(pcp, v) __hmc_own_write(pcp, v)
#define this_cpu_add_4(pcp, v) __hmc_own_op(pcp, +, v)
#define this_cpu_and_4(pcp, v) __hmc_own_op(pcp, &, v)
#define this_cpu_or_4(pcp, v) __hmc_own_op(pcp, |, v)
#define this_cpu_add_return_4(pcp, v) __hmc_own_add_return(pcp, v)
#define this_cpu_xchg_4(pcp, v) __hmc_own_xchg(pcp, v)
#define this_cpu_cmpxchg_4(pcp, o, v) __hmc_own_cmpxchg(pcp, o, v)
#define this_cpu_read_8(pcp) __hmc_own_read(pcp)
#define this_cpu_write_8(pcp, v) __hmc_own_write(pcp, v)
#define this_cpu_add_8(pcp, v) __hmc_own_op(pcp, +, v)
#define this_cpu_and_8(pcp, v) __hmc_own_op(pcp, &, v)
#define this_cpu_or_8(pcp, v) __hmc_own_op(pcp, |, v)
#define this_cpu_add_return_8(pcp, v) __hmc_own_add_return(pcp, v)
#define this_cpu_xchg_8(pcp, v) __hmc_own_xchg(pcp, v)
#define this_cpu_cmpxchg_8(pcp, o, v) __hmc_own_cmpxchg(pcp, o, v)
#endif
#include <asm-generic/percpu.h>
#endif
