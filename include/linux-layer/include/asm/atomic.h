/* Documentation/atomic_t.txt: operations without a result order nothing, those with one are fully ordered but for their suffix. The headers of the tree make
 * the others of these. One line an operation, made by a loop over names, orders and widths. */
#ifndef HMC_ASM_ATOMIC_H
#define HMC_ASM_ATOMIC_H
#include <linux/types.h>
#include <asm/barrier.h>
#include <asm/cmpxchg.h>

#define arch_atomic_read(v) ({ hmc_interrupt(); READ_ONCE((v)->counter); })
#define arch_atomic_set(v, i) ({ hmc_interrupt(); WRITE_ONCE((v)->counter, i); })
#define arch_atomic_read_acquire(v) smp_load_acquire(&(v)->counter)
#define arch_atomic_set_release(v, i) smp_store_release(&(v)->counter, i)
static __always_inline void arch_atomic_add(int i, atomic_t *v) { hmc_interrupt(); hmc_op(&v->counter, '+', i); }
#define arch_atomic_add arch_atomic_add
static __always_inline int arch_atomic_fetch_add(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '+', i); }
#define arch_atomic_fetch_add arch_atomic_fetch_add
static __always_inline int arch_atomic_add_return(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '+', i) + i; }
#define arch_atomic_add_return arch_atomic_add_return
static __always_inline int arch_atomic_fetch_add_relaxed(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '+', i); }
#define arch_atomic_fetch_add_relaxed arch_atomic_fetch_add_relaxed
static __always_inline int arch_atomic_add_return_relaxed(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '+', i) + i; }
#define arch_atomic_add_return_relaxed arch_atomic_add_return_relaxed
static __always_inline int arch_atomic_fetch_add_acquire(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '+', i); }
#define arch_atomic_fetch_add_acquire arch_atomic_fetch_add_acquire
static __always_inline int arch_atomic_add_return_acquire(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '+', i) + i; }
#define arch_atomic_add_return_acquire arch_atomic_add_return_acquire
static __always_inline int arch_atomic_fetch_add_release(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '+', i); }
#define arch_atomic_fetch_add_release arch_atomic_fetch_add_release
static __always_inline int arch_atomic_add_return_release(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '+', i) + i; }
#define arch_atomic_add_return_release arch_atomic_add_return_release
static __always_inline void arch_atomic_sub(int i, atomic_t *v) { hmc_interrupt(); hmc_op(&v->counter, '-', i); }
#define arch_atomic_sub arch_atomic_sub
static __always_inline int arch_atomic_fetch_sub(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '-', i); }
#define arch_atomic_fetch_sub arch_atomic_fetch_sub
static __always_inline int arch_atomic_sub_return(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '-', i) - i; }
#define arch_atomic_sub_return arch_atomic_sub_return
static __always_inline int arch_atomic_fetch_sub_relaxed(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '-', i); }
#define arch_atomic_fetch_sub_relaxed arch_atomic_fetch_sub_relaxed
static __always_inline int arch_atomic_sub_return_relaxed(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '-', i) - i; }
#define arch_atomic_sub_return_relaxed arch_atomic_sub_return_relaxed
static __always_inline int arch_atomic_fetch_sub_acquire(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '-', i); }
#define arch_atomic_fetch_sub_acquire arch_atomic_fetch_sub_acquire
static __always_inline int arch_atomic_sub_return_acquire(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '-', i) - i; }
#define arch_atomic_sub_return_acquire arch_atomic_sub_return_acquire
static __always_inline int arch_atomic_fetch_sub_release(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '-', i); }
#define arch_atomic_fetch_sub_release arch_atomic_fetch_sub_release
static __always_inline int arch_atomic_sub_return_release(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '-', i) - i; }
#define arch_atomic_sub_return_release arch_atomic_sub_return_release
static __always_inline void arch_atomic_and(int i, atomic_t *v) { hmc_interrupt(); hmc_op(&v->counter, '&', i); }
#define arch_atomic_and arch_atomic_and
static __always_inline int arch_atomic_fetch_and(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '&', i); }
#define arch_atomic_fetch_and arch_atomic_fetch_and
static __always_inline int arch_atomic_fetch_and_relaxed(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '&', i); }
#define arch_atomic_fetch_and_relaxed arch_atomic_fetch_and_relaxed
static __always_inline int arch_atomic_fetch_and_acquire(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '&', i); }
#define arch_atomic_fetch_and_acquire arch_atomic_fetch_and_acquire
static __always_inline int arch_atomic_fetch_and_release(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '&', i); }
#define arch_atomic_fetch_and_release arch_atomic_fetch_and_release
static __always_inline void arch_atomic_or(int i, atomic_t *v) { hmc_interrupt(); hmc_op(&v->counter, '|', i); }
#define arch_atomic_or arch_atomic_or
static __always_inline int arch_atomic_fetch_or(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '|', i); }
#define arch_atomic_fetch_or arch_atomic_fetch_or
static __always_inline int arch_atomic_fetch_or_relaxed(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '|', i); }
#define arch_atomic_fetch_or_relaxed arch_atomic_fetch_or_relaxed
static __always_inline int arch_atomic_fetch_or_acquire(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '|', i); }
#define arch_atomic_fetch_or_acquire arch_atomic_fetch_or_acquire
static __always_inline int arch_atomic_fetch_or_release(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '|', i); }
#define arch_atomic_fetch_or_release arch_atomic_fetch_or_release
static __always_inline void arch_atomic_xor(int i, atomic_t *v) { hmc_interrupt(); hmc_op(&v->counter, '^', i); }
#define arch_atomic_xor arch_atomic_xor
static __always_inline int arch_atomic_fetch_xor(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '^', i); }
#define arch_atomic_fetch_xor arch_atomic_fetch_xor
static __always_inline int arch_atomic_fetch_xor_relaxed(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '^', i); }
#define arch_atomic_fetch_xor_relaxed arch_atomic_fetch_xor_relaxed
static __always_inline int arch_atomic_fetch_xor_acquire(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '^', i); }
#define arch_atomic_fetch_xor_acquire arch_atomic_fetch_xor_acquire
static __always_inline int arch_atomic_fetch_xor_release(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '^', i); }
#define arch_atomic_fetch_xor_release arch_atomic_fetch_xor_release
static __always_inline void arch_atomic_andnot(int i, atomic_t *v) { hmc_interrupt(); hmc_op(&v->counter, '~', i); }
#define arch_atomic_andnot arch_atomic_andnot
static __always_inline int arch_atomic_fetch_andnot(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '~', i); }
#define arch_atomic_fetch_andnot arch_atomic_fetch_andnot
static __always_inline int arch_atomic_fetch_andnot_relaxed(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '~', i); }
#define arch_atomic_fetch_andnot_relaxed arch_atomic_fetch_andnot_relaxed
static __always_inline int arch_atomic_fetch_andnot_acquire(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '~', i); }
#define arch_atomic_fetch_andnot_acquire arch_atomic_fetch_andnot_acquire
static __always_inline int arch_atomic_fetch_andnot_release(int i, atomic_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '~', i); }
#define arch_atomic_fetch_andnot_release arch_atomic_fetch_andnot_release
#define arch_atomic_xchg(v, i) arch_xchg(&(v)->counter, i)
#define arch_atomic_cmpxchg(v, o, i) arch_cmpxchg(&(v)->counter, o, i)
#define arch_atomic_xchg_relaxed(v, i) arch_xchg_relaxed(&(v)->counter, i)
#define arch_atomic_cmpxchg_relaxed(v, o, i) arch_cmpxchg_relaxed(&(v)->counter, o, i)
#define arch_atomic_xchg_acquire(v, i) arch_xchg_acquire(&(v)->counter, i)
#define arch_atomic_cmpxchg_acquire(v, o, i) arch_cmpxchg_acquire(&(v)->counter, o, i)
#define arch_atomic_xchg_release(v, i) arch_xchg_release(&(v)->counter, i)
#define arch_atomic_cmpxchg_release(v, o, i) arch_cmpxchg_release(&(v)->counter, o, i)

#define arch_atomic64_read(v) ({ hmc_interrupt(); READ_ONCE((v)->counter); })
#define arch_atomic64_set(v, i) ({ hmc_interrupt(); WRITE_ONCE((v)->counter, i); })
#define arch_atomic64_read_acquire(v) smp_load_acquire(&(v)->counter)
#define arch_atomic64_set_release(v, i) smp_store_release(&(v)->counter, i)
static __always_inline void arch_atomic64_add(s64 i, atomic64_t *v) { hmc_interrupt(); hmc_op(&v->counter, '+', i); }
#define arch_atomic64_add arch_atomic64_add
static __always_inline s64 arch_atomic64_fetch_add(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '+', i); }
#define arch_atomic64_fetch_add arch_atomic64_fetch_add
static __always_inline s64 arch_atomic64_add_return(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '+', i) + i; }
#define arch_atomic64_add_return arch_atomic64_add_return
static __always_inline s64 arch_atomic64_fetch_add_relaxed(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '+', i); }
#define arch_atomic64_fetch_add_relaxed arch_atomic64_fetch_add_relaxed
static __always_inline s64 arch_atomic64_add_return_relaxed(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '+', i) + i; }
#define arch_atomic64_add_return_relaxed arch_atomic64_add_return_relaxed
static __always_inline s64 arch_atomic64_fetch_add_acquire(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '+', i); }
#define arch_atomic64_fetch_add_acquire arch_atomic64_fetch_add_acquire
static __always_inline s64 arch_atomic64_add_return_acquire(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '+', i) + i; }
#define arch_atomic64_add_return_acquire arch_atomic64_add_return_acquire
static __always_inline s64 arch_atomic64_fetch_add_release(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '+', i); }
#define arch_atomic64_fetch_add_release arch_atomic64_fetch_add_release
static __always_inline s64 arch_atomic64_add_return_release(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '+', i) + i; }
#define arch_atomic64_add_return_release arch_atomic64_add_return_release
static __always_inline void arch_atomic64_sub(s64 i, atomic64_t *v) { hmc_interrupt(); hmc_op(&v->counter, '-', i); }
#define arch_atomic64_sub arch_atomic64_sub
static __always_inline s64 arch_atomic64_fetch_sub(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '-', i); }
#define arch_atomic64_fetch_sub arch_atomic64_fetch_sub
static __always_inline s64 arch_atomic64_sub_return(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '-', i) - i; }
#define arch_atomic64_sub_return arch_atomic64_sub_return
static __always_inline s64 arch_atomic64_fetch_sub_relaxed(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '-', i); }
#define arch_atomic64_fetch_sub_relaxed arch_atomic64_fetch_sub_relaxed
static __always_inline s64 arch_atomic64_sub_return_relaxed(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '-', i) - i; }
#define arch_atomic64_sub_return_relaxed arch_atomic64_sub_return_relaxed
static __always_inline s64 arch_atomic64_fetch_sub_acquire(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '-', i); }
#define arch_atomic64_fetch_sub_acquire arch_atomic64_fetch_sub_acquire
static __always_inline s64 arch_atomic64_sub_return_acquire(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '-', i) - i; }
#define arch_atomic64_sub_return_acquire arch_atomic64_sub_return_acquire
static __always_inline s64 arch_atomic64_fetch_sub_release(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '-', i); }
#define arch_atomic64_fetch_sub_release arch_atomic64_fetch_sub_release
static __always_inline s64 arch_atomic64_sub_return_release(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '-', i) - i; }
#define arch_atomic64_sub_return_release arch_atomic64_sub_return_release
static __always_inline void arch_atomic64_and(s64 i, atomic64_t *v) { hmc_interrupt(); hmc_op(&v->counter, '&', i); }
#define arch_atomic64_and arch_atomic64_and
static __always_inline s64 arch_atomic64_fetch_and(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '&', i); }
#define arch_atomic64_fetch_and arch_atomic64_fetch_and
static __always_inline s64 arch_atomic64_fetch_and_relaxed(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '&', i); }
#define arch_atomic64_fetch_and_relaxed arch_atomic64_fetch_and_relaxed
static __always_inline s64 arch_atomic64_fetch_and_acquire(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '&', i); }
#define arch_atomic64_fetch_and_acquire arch_atomic64_fetch_and_acquire
static __always_inline s64 arch_atomic64_fetch_and_release(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '&', i); }
#define arch_atomic64_fetch_and_release arch_atomic64_fetch_and_release
static __always_inline void arch_atomic64_or(s64 i, atomic64_t *v) { hmc_interrupt(); hmc_op(&v->counter, '|', i); }
#define arch_atomic64_or arch_atomic64_or
static __always_inline s64 arch_atomic64_fetch_or(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '|', i); }
#define arch_atomic64_fetch_or arch_atomic64_fetch_or
static __always_inline s64 arch_atomic64_fetch_or_relaxed(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '|', i); }
#define arch_atomic64_fetch_or_relaxed arch_atomic64_fetch_or_relaxed
static __always_inline s64 arch_atomic64_fetch_or_acquire(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '|', i); }
#define arch_atomic64_fetch_or_acquire arch_atomic64_fetch_or_acquire
static __always_inline s64 arch_atomic64_fetch_or_release(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '|', i); }
#define arch_atomic64_fetch_or_release arch_atomic64_fetch_or_release
static __always_inline void arch_atomic64_xor(s64 i, atomic64_t *v) { hmc_interrupt(); hmc_op(&v->counter, '^', i); }
#define arch_atomic64_xor arch_atomic64_xor
static __always_inline s64 arch_atomic64_fetch_xor(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '^', i); }
#define arch_atomic64_fetch_xor arch_atomic64_fetch_xor
static __always_inline s64 arch_atomic64_fetch_xor_relaxed(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '^', i); }
#define arch_atomic64_fetch_xor_relaxed arch_atomic64_fetch_xor_relaxed
static __always_inline s64 arch_atomic64_fetch_xor_acquire(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '^', i); }
#define arch_atomic64_fetch_xor_acquire arch_atomic64_fetch_xor_acquire
static __always_inline s64 arch_atomic64_fetch_xor_release(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '^', i); }
#define arch_atomic64_fetch_xor_release arch_atomic64_fetch_xor_release
static __always_inline void arch_atomic64_andnot(s64 i, atomic64_t *v) { hmc_interrupt(); hmc_op(&v->counter, '~', i); }
#define arch_atomic64_andnot arch_atomic64_andnot
static __always_inline s64 arch_atomic64_fetch_andnot(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(full, &v->counter, '~', i); }
#define arch_atomic64_fetch_andnot arch_atomic64_fetch_andnot
static __always_inline s64 arch_atomic64_fetch_andnot_relaxed(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(once, &v->counter, '~', i); }
#define arch_atomic64_fetch_andnot_relaxed arch_atomic64_fetch_andnot_relaxed
static __always_inline s64 arch_atomic64_fetch_andnot_acquire(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(acquire, &v->counter, '~', i); }
#define arch_atomic64_fetch_andnot_acquire arch_atomic64_fetch_andnot_acquire
static __always_inline s64 arch_atomic64_fetch_andnot_release(s64 i, atomic64_t *v) { hmc_interrupt(); return hmc_fetch_op(release, &v->counter, '~', i); }
#define arch_atomic64_fetch_andnot_release arch_atomic64_fetch_andnot_release
#define arch_atomic64_xchg(v, i) arch_xchg(&(v)->counter, i)
#define arch_atomic64_cmpxchg(v, o, i) arch_cmpxchg(&(v)->counter, o, i)
#define arch_atomic64_xchg_relaxed(v, i) arch_xchg_relaxed(&(v)->counter, i)
#define arch_atomic64_cmpxchg_relaxed(v, o, i) arch_cmpxchg_relaxed(&(v)->counter, o, i)
#define arch_atomic64_xchg_acquire(v, i) arch_xchg_acquire(&(v)->counter, i)
#define arch_atomic64_cmpxchg_acquire(v, o, i) arch_cmpxchg_acquire(&(v)->counter, o, i)
#define arch_atomic64_xchg_release(v, i) arch_xchg_release(&(v)->counter, i)
#define arch_atomic64_cmpxchg_release(v, o, i) arch_cmpxchg_release(&(v)->counter, o, i)

#define ATOMIC64_INIT(i) { (i) }
#endif
