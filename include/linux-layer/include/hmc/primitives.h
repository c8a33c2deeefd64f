/* Accesses and fences: the model's own, where it has the annotations of the kernel's primitives, else those of C11, which hmc compiles for the model's
 * processor. The names say what is ordered: once, acquire, release, full. */
#ifndef HMC_PRIMITIVES_H
#define HMC_PRIMITIVES_H

/* What a thread keeps outside of memory: no event. */
extern unsigned long __hmc_word(int word);
extern void __hmc_set_word(int word, unsigned long value);
extern void __hmc_mark_plain(int depth);
#define HMC_CPU 1          /* the number of its processor */
#define HMC_TASK 2         /* its task */
#define HMC_PREEMPT 3      /* the count of preempt_disable() and of interrupts that it is in */
#define HMC_IRQS_OFF 4     /* whether interrupts are off */
#define HMC_HANDLER 5      /* the handler of an interrupt that may still come */
#define HMC_MARKED 6       /* how deep it is in regions whose plain accesses are marked */
#define HMC_MARKED_NEXT 7  /* whether it is in one that is not nested */
#define HMC_STARTED 8      /* how many tasks it has started */

/* One interrupt in the count; the headers of the tree read it there. */
#define HMC_HARDIRQ 0x10000

/* A sentence beside the verdict. */
extern unsigned long __hmc_note(const char *text);

extern void hmc_assert(int condition);
extern int hmc_choose(void);

#define __hmc_as(p) (__typeof__(*(p)))

#ifdef HMC_MODEL_PRIMITIVES
extern unsigned long __hmc_load(const char *tags, unsigned long size, const volatile void *at);
extern unsigned long __hmc_store(const char *tags, unsigned long size, const volatile void *at, unsigned long value);
extern unsigned long __hmc_fence(const char *tags);
extern unsigned long __hmc_reader(const char *tags);
extern unsigned long __hmc_xchg(const char *tags, unsigned long size, const volatile void *at, unsigned long value);
extern unsigned long __hmc_cmpxchg(const char *tags, unsigned long size, const volatile void *at, unsigned long old, unsigned long value);
extern unsigned long __hmc_atomic_op(const char *tags, unsigned long size, const volatile void *at, unsigned long value, int op);
extern unsigned long __hmc_atomic_fetch_op(const char *tags, unsigned long size, const volatile void *at, unsigned long value, int op);
extern unsigned long __hmc_lock(const char *tags, const volatile void *at);
extern unsigned long __hmc_trylock(const char *tags, const volatile void *at);
extern unsigned long __hmc_unlock(const char *tags, const volatile void *at);
extern unsigned long __hmc_islocked(const char *tags, const volatile void *at);
extern unsigned long __hmc_srcu(const char *tags, const volatile void *at);

#define HMC_once "ONCE"
#define HMC_acquire "ACQUIRE"
#define HMC_release "RELEASE"
#define HMC_full "MB"

#define hmc_load(order, p) (__hmc_as(p)__hmc_load(HMC_##order, sizeof(*(p)), p))
#define hmc_store(order, p, v) ((void)__hmc_store(HMC_##order, sizeof(*(p)), p, (unsigned long)(v)))
#define hmc_xchg(order, p, v) (__hmc_as(p)__hmc_xchg(HMC_##order, sizeof(*(p)), p, (unsigned long)(v)))
#define hmc_cmpxchg(order, p, o, v) (__hmc_as(p)__hmc_cmpxchg(HMC_##order, sizeof(*(p)), p, (unsigned long)(o), (unsigned long)(v)))
#define hmc_op(p, op, v) ((void)__hmc_atomic_op("NORETURN", sizeof(*(p)), p, (unsigned long)(v), op))
#define hmc_fetch_op(order, p, op, v) (__hmc_as(p)__hmc_atomic_fetch_op(HMC_##order, sizeof(*(p)), p, (unsigned long)(v), op))

#define hmc_fence_full() ((void)__hmc_fence("MB"))
#define hmc_fence_read() ((void)__hmc_fence("rmb"))
#define hmc_fence_write() ((void)__hmc_fence("wmb"))
#define hmc_fence_before_atomic() ((void)__hmc_fence("before-atomic"))
#define hmc_fence_after_atomic() ((void)__hmc_fence("after-atomic"))
#define hmc_fence_after_spinlock() ((void)__hmc_fence("after-spinlock"))
#define hmc_fence_after_unlock_lock() ((void)__hmc_fence("after-unlock-lock"))

#define hmc_lock(p) ((void)__hmc_lock("", p))
#define hmc_trylock(p) ((int)__hmc_trylock("", p))
#define hmc_unlock(p) ((void)__hmc_unlock("", p))
#define hmc_is_locked(p) ((int)__hmc_islocked("", p))

#define hmc_rcu_read_lock() ((void)__hmc_fence("rcu-lock"))
#define hmc_rcu_read_unlock() ((void)__hmc_fence("rcu-unlock"))
#define hmc_rcu_synchronize() ((void)__hmc_fence("sync-rcu"))
/* What cannot be interrupted is a reader to synchronize_rcu() as well; where nobody calls that, these do nothing. */
#define hmc_rcu_disabled() ((void)__hmc_reader("sync-rcu rcu-lock"))
#define hmc_rcu_enabled() ((void)__hmc_reader("sync-rcu rcu-unlock"))

#else /* a processor */

#define HMC_once __ATOMIC_RELAXED
#define HMC_acquire __ATOMIC_ACQUIRE
#define HMC_release __ATOMIC_RELEASE
/* A release, and a full fence behind it where it writes: as processors with load-linked and store-conditional do it. */
#define HMC_full __ATOMIC_RELEASE
#define __hmc_behind_once(done) ((void)0)
#define __hmc_behind_acquire(done) ((void)0)
#define __hmc_behind_release(done) ((void)0)
#define __hmc_behind_full(done) ({ if (done) __atomic_thread_fence(__ATOMIC_SEQ_CST); })

#define hmc_load(order, p) __atomic_load_n(p, HMC_##order)
#define hmc_store(order, p, v) __atomic_store_n(p, __hmc_as(p)(v), HMC_##order)
#define hmc_xchg(order, p, v) \
	({ __typeof__(*(p)) __hmc_was = __atomic_exchange_n(p, __hmc_as(p)(v), HMC_##order); __hmc_behind_##order(1); __hmc_was; })
#define hmc_cmpxchg(order, p, o, v) \
	({ __typeof__(*(p)) __hmc_was = __hmc_as(p)(o); \
	   int __hmc_done = __atomic_compare_exchange_n(p, &__hmc_was, __hmc_as(p)(v), 0, HMC_##order, __ATOMIC_RELAXED); \
	   __hmc_behind_##order(__hmc_done); __hmc_was; })
#define __hmc_rmw(p, op, v, order) \
	((op) == '+' ? __atomic_fetch_add(p, v, order) : (op) == '-' ? __atomic_fetch_sub(p, v, order) : \
	 (op) == '&' ? __atomic_fetch_and(p, v, order) : (op) == '|' ? __atomic_fetch_or(p, v, order) : \
	 (op) == '^' ? __atomic_fetch_xor(p, v, order) : __atomic_fetch_and(p, ~(v), order))
#define hmc_op(p, op, v) ((void)__hmc_rmw(p, op, v, __ATOMIC_RELAXED))
#define hmc_fetch_op(order, p, op, v) \
	({ __typeof__(*(p)) __hmc_was = __hmc_rmw(p, op, v, HMC_##order); __hmc_behind_##order(1); __hmc_was; })

#define hmc_fence_full() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define hmc_fence_read() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define hmc_fence_write() __atomic_thread_fence(__ATOMIC_RELEASE)
#define hmc_fence_before_atomic() hmc_fence_full()
#define hmc_fence_after_atomic() hmc_fence_full()
#define hmc_fence_after_spinlock() hmc_fence_full()
#define hmc_fence_after_unlock_lock() hmc_fence_full()

#define hmc_trylock(p) (hmc_cmpxchg(acquire, p, 0, 1) == 0)
#define hmc_lock(p) ({ while (!hmc_trylock(p)) ; })
#define hmc_unlock(p) hmc_store(release, p, 0)
#define hmc_is_locked(p) (hmc_load(once, p) != 0)

/* A processor knows no grace periods: these are not defined anywhere. */
extern void rcu_has_no_counterpart_under_the_model_of_a_processor(void);
#define hmc_rcu_read_lock() ((void)0)
#define hmc_rcu_read_unlock() ((void)0)
#define hmc_rcu_synchronize() rcu_has_no_counterpart_under_the_model_of_a_processor()
#define hmc_rcu_disabled() ((void)0)
#define hmc_rcu_enabled() ((void)0)
#endif

#endif
