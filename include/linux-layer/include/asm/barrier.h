/* Documentation/memory-barriers.txt: what each of them orders is said by the model. Devices and DMA are not modelled: the mandatory barriers are those
 * between processors. */
#ifndef HMC_ASM_BARRIER_H
#define HMC_ASM_BARRIER_H
#include <hmc/primitives.h>
#include <hmc/interrupt.h>
#define cpu_relax() ((void)0)
#define mb() hmc_fence_full()
#define rmb() hmc_fence_read()
#define wmb() hmc_fence_write()
#define __smp_mb() hmc_fence_full()
#define __smp_rmb() hmc_fence_read()
#define __smp_wmb() hmc_fence_write()
#define smp_mb() ({ hmc_interrupt(); hmc_fence_full(); })
#define smp_rmb() ({ hmc_interrupt(); hmc_fence_read(); })
#define smp_wmb() ({ hmc_interrupt(); hmc_fence_write(); })
#define __smp_mb__before_atomic() hmc_fence_before_atomic()
#define __smp_mb__after_atomic() hmc_fence_after_atomic()
#define smp_mb__before_atomic() hmc_fence_before_atomic()
#define smp_mb__after_atomic() hmc_fence_after_atomic()
#define smp_mb__after_spinlock() hmc_fence_after_spinlock()
#define smp_mb__after_unlock_lock() hmc_fence_after_unlock_lock()
#define __smp_load_acquire(p) ({ hmc_interrupt(); hmc_load(acquire, p); })
#define __smp_store_release(p, v) ({ hmc_interrupt(); hmc_store(release, p, v); })
#define smp_load_acquire(p) __smp_load_acquire(p)
#define smp_store_release(p, v) __smp_store_release(p, v)
/* A branch on a read and this behind it are an acquire: reads and writes behind it come after that read. The model has no such fence, and its read barrier
 * orders no plain writes: a full fence, which is more. A processor's fence for that is known. */
#ifdef HMC_MODEL_PRIMITIVES
#define smp_acquire__after_ctrl_dep() \
	({ (void)__hmc_note("smp_acquire__after_ctrl_dep() is a full fence here, which is more than it promises"); hmc_fence_full(); })
#else
#define smp_acquire__after_ctrl_dep() hmc_fence_read()
#endif
#define smp_cond_load_acquire(p, condition) \
	({ __typeof__(p) __hmc_at = (p); __unqual_scalar_typeof(*(p)) VAL; \
	   for (;;) { VAL = smp_load_acquire(__hmc_at); if (condition) break; cpu_relax(); } \
	   (__typeof__(*(p)))VAL; })
#include <asm-generic/barrier.h>
#endif
