/* The task of a thread is no memory: it never changes. */
#ifndef HMC_ASM_CURRENT_H
#define HMC_ASM_CURRENT_H
#include <hmc/primitives.h>
struct task_struct;
#define current ((struct task_struct *)__hmc_word(HMC_TASK))
#define get_current() current
#endif
