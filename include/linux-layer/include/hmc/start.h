/* Before everything else in a file of the kernel: the functions that the other headers of this folder define. Declared static first, they stay so where
 * the tree declares them; those that nobody calls are not compiled. */
#ifndef HMC_START_H
#define HMC_START_H
#define HMC_OWN static __attribute__((unused))

/* hmc/kcsan.h */
HMC_OWN void kcsan_atomic_next(int n);
HMC_OWN void kcsan_nestable_atomic_begin(void);
HMC_OWN void kcsan_nestable_atomic_end(void);
HMC_OWN void kcsan_flat_atomic_begin(void);
HMC_OWN void kcsan_flat_atomic_end(void);
HMC_OWN void kcsan_disable_current(void);
HMC_OWN void kcsan_enable_current(void);
HMC_OWN void __kcsan_disable_current(void);
HMC_OWN void __kcsan_enable_current(void);
HMC_OWN void kcsan_enable_current_nowarn(void);
HMC_OWN void __kcsan_check_access(const volatile void *at, unsigned long size, int type);

#include <linux/types.h>
#include <linux/compiler.h>
#include <hmc/primitives.h>
#define barrier() ((void)0)
/* Where a caller is: only traces and lockdep ask. */
#define _THIS_IP_ 0UL
#define OPTIMIZER_HIDE_VAR(x) ((void)(x))

struct task_struct;
struct wake_q_head;
struct wake_q_node;
struct rcu_head;
struct srcu_struct;
struct mutex;
struct rcuwait;
struct wait_queue_entry;
struct kmem_cache;
struct lock_class_key;

/* hmc/rcu.h */
HMC_OWN void __rcu_read_lock(void);
HMC_OWN void __rcu_read_unlock(void);
HMC_OWN void synchronize_rcu(void);
HMC_OWN void synchronize_rcu_expedited(void);
HMC_OWN void call_rcu(struct rcu_head *head, void (*function)(struct rcu_head *));
HMC_OWN bool rcu_is_watching(void);

/* hmc/tasks.h */
HMC_OWN void schedule(void);
HMC_OWN void io_schedule(void);
HMC_OWN void schedule_preempt_disabled(void);
HMC_OWN long schedule_timeout(long timeout);
HMC_OWN long io_schedule_timeout(long timeout);
HMC_OWN int wake_up_state(struct task_struct *task, unsigned int state);
HMC_OWN int wake_up_process(struct task_struct *task);
HMC_OWN int try_to_wake_up(struct task_struct *task, unsigned int state, int flags);
HMC_OWN int default_wake_function(struct wait_queue_entry *entry, unsigned int mode, int flags, void *key);
HMC_OWN void wake_q_add(struct wake_q_head *head, struct task_struct *task);
HMC_OWN void wake_q_add_safe(struct wake_q_head *head, struct task_struct *task);
HMC_OWN void wake_up_q(struct wake_q_head *head);
HMC_OWN void __put_task_struct(struct task_struct *task);
HMC_OWN int __cond_resched(void);
HMC_OWN int rcuwait_wake_up(struct rcuwait *wait);
HMC_OWN void finish_rcuwait(struct rcuwait *wait);

/* hmc/locks.h */
HMC_OWN void __local_bh_enable_ip(unsigned long ip, unsigned int count);
HMC_OWN void __mutex_init(struct mutex *lock, const char *name, struct lock_class_key *key);
HMC_OWN void mutex_lock(struct mutex *lock);
HMC_OWN int mutex_lock_interruptible(struct mutex *lock);
HMC_OWN int mutex_lock_killable(struct mutex *lock);
HMC_OWN int mutex_trylock(struct mutex *lock);
HMC_OWN void mutex_unlock(struct mutex *lock);
HMC_OWN bool mutex_is_locked(struct mutex *lock);

/* hmc/memory.h */
HMC_OWN void *__kmalloc_noprof(size_t size, gfp_t flags);
HMC_OWN void *__kmalloc_node_noprof(size_t size, gfp_t flags, int node);
HMC_OWN void *__kmalloc(size_t size, gfp_t flags);
HMC_OWN void *__kmalloc_node(size_t size, gfp_t flags, int node);
HMC_OWN void __percpu *pcpu_alloc_noprof(size_t size, size_t align, bool reserved, gfp_t gfp);
HMC_OWN void __percpu *__alloc_percpu(size_t size, size_t align);
HMC_OWN void __percpu *__alloc_percpu_gfp(size_t size, size_t align, gfp_t gfp);
HMC_OWN void free_percpu(void __percpu *at);
HMC_OWN void *__kvmalloc_node_noprof(size_t size, gfp_t flags, int node);
HMC_OWN void *(kvmalloc_node)(size_t size, gfp_t flags, int node);
HMC_OWN void kvfree(const void *at);
HMC_OWN void vfree(const void *at);

/* hmc/random.h */
HMC_OWN u32 get_random_u32(void);

/* hmc/messages.h */
HMC_OWN int _printk(const char *format, ...);
HMC_OWN void panic(const char *format, ...);
HMC_OWN void dump_stack(void);
HMC_OWN void warn_slowpath_fmt(const char *file, const int line, unsigned taint, const char *format, ...);
HMC_OWN void __warn_printk(const char *format, ...);
#endif
