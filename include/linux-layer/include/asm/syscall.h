#ifndef HMC_ASM_SYSCALL_H
#define HMC_ASM_SYSCALL_H
#include <uapi/linux/audit.h>
#endif
