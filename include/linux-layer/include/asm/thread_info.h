#ifndef HMC_ASM_THREAD_INFO_H
#define HMC_ASM_THREAD_INFO_H
#ifndef __ASSEMBLY__
struct thread_info { unsigned long flags; unsigned int cpu; };
#define INIT_THREAD_INFO(task) { .flags = 0 }
#endif
#define THREAD_SIZE 16384
#define THREAD_SIZE_ORDER 2
#define TIF_NOTIFY_RESUME 1
#define TIF_SIGPENDING 2
#define TIF_NEED_RESCHED 3
#define TIF_POLLING_NRFLAG 4
#define TIF_NOTIFY_SIGNAL 5
#define TIF_MEMDIE 6
#define TIF_PATCH_PENDING 7
#define TIF_UPROBE 8
#define _TIF_NOTIFY_RESUME (1 << TIF_NOTIFY_RESUME)
#define _TIF_SIGPENDING (1 << TIF_SIGPENDING)
#define _TIF_NEED_RESCHED (1 << TIF_NEED_RESCHED)
#define _TIF_POLLING_NRFLAG (1 << TIF_POLLING_NRFLAG)
#define _TIF_NOTIFY_SIGNAL (1 << TIF_NOTIFY_SIGNAL)
#define _TIF_PATCH_PENDING (1 << TIF_PATCH_PENDING)
#define _TIF_UPROBE (1 << TIF_UPROBE)
#endif
