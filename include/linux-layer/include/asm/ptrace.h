#ifndef HMC_ASM_PTRACE_H
#define HMC_ASM_PTRACE_H
#include <uapi/asm/ptrace.h>
struct pt_regs { unsigned long none; };
#define user_mode(regs) 0
#define instruction_pointer(regs) 0UL
#define profile_pc(regs) 0UL
#define user_stack_pointer(regs) 0UL
#define regs_return_value(regs) 0UL
#define instruction_pointer_set(regs, value) ((void)0)
#define arch_has_single_step() 0
#endif
