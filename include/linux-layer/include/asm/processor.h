#ifndef HMC_ASM_PROCESSOR_H
#define HMC_ASM_PROCESSOR_H
#ifndef __ASSEMBLY__
struct thread_struct { unsigned long none; };
struct task_struct;
struct pt_regs;
#define INIT_THREAD { 0 }
#define TASK_SIZE (1UL << 47)
#define TASK_SIZE_MAX TASK_SIZE
#define STACK_TOP TASK_SIZE
#define STACK_TOP_MAX TASK_SIZE
#define TASK_UNMAPPED_BASE (TASK_SIZE / 4)
#define KSTK_EIP(task) 0
#define KSTK_ESP(task) 0
#define task_pt_regs(task) ((struct pt_regs *)0)
#define prefetch(x) ((void)(x))
#define prefetchw(x) ((void)(x))
#define ARCH_HAS_PREFETCH
#define ARCH_HAS_PREFETCHW
static inline unsigned long __get_wchan(struct task_struct *p) { return 0; }
#endif
#endif
