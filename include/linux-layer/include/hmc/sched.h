/* What files of kernel/sched are compiled behind: they have no headers of their own. Included before them. */
#include <linux/sched.h>
#include <linux/sched/debug.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/wake_q.h>
#include <linux/completion.h>
#include <linux/hash.h>
#include <linux/kthread.h>
#include <linux/poll.h>
#include <linux/swait.h>
#include <linux/wait.h>
#include <linux/wait_bit.h>
#define WF_SYNC 1
#define WF_CURRENT_CPU 2
