/* Documentation/atomic_t.txt: without a suffix fully ordered; an exchange that does not happen orders nothing. */
#ifndef HMC_ASM_CMPXCHG_H
#define HMC_ASM_CMPXCHG_H
#include <hmc/primitives.h>
#include <hmc/interrupt.h>
#define __hmc_x(order, p, v) ({ hmc_interrupt(); hmc_xchg(order, p, v); })
#define __hmc_c(order, p, o, v) ({ hmc_interrupt(); hmc_cmpxchg(order, p, o, v); })
#define arch_xchg(p, v) __hmc_x(full, p, v)
#define arch_xchg_relaxed(p, v) __hmc_x(once, p, v)
#define arch_xchg_acquire(p, v) __hmc_x(acquire, p, v)
#define arch_xchg_release(p, v) __hmc_x(release, p, v)
#define arch_cmpxchg(p, o, v) __hmc_c(full, p, o, v)
#define arch_cmpxchg_relaxed(p, o, v) __hmc_c(once, p, o, v)
#define arch_cmpxchg_acquire(p, o, v) __hmc_c(acquire, p, o, v)
#define arch_cmpxchg_release(p, o, v) __hmc_c(release, p, o, v)
#define arch_cmpxchg_local(p, o, v) __hmc_c(once, p, o, v)
#define arch_cmpxchg64(p, o, v) __hmc_c(full, p, o, v)
#define arch_cmpxchg64_relaxed(p, o, v) __hmc_c(once, p, o, v)
#define arch_cmpxchg64_acquire(p, o, v) __hmc_c(acquire, p, o, v)
#define arch_cmpxchg64_release(p, o, v) __hmc_c(release, p, o, v)
#define arch_cmpxchg64_local(p, o, v) __hmc_c(once, p, o, v)
#endif
