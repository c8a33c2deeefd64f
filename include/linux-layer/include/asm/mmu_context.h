#ifndef HMC_ASM_MMU_CONTEXT_H
#define HMC_ASM_MMU_CONTEXT_H
struct mm_struct;
struct task_struct;
static inline void switch_mm(struct mm_struct *from, struct mm_struct *to, struct task_struct *task) { }
#include <asm-generic/mmu_context.h>
#endif
