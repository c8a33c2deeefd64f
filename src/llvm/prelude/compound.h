/* What the kernel makes of its primitives: each is what its generic code says (include/linux/atomic/atomic-arch-fallback.h, include/linux/refcount.h,
 * include/asm-generic/bitops). A model that lacks a primitive lacks what is made of it. */

/* What a branch on a read orders before accesses behind it, if only reads need it. */
#define smp_acquire__after_ctrl_dep() smp_rmb()

/* Waiting for a value. */
#define __HMC_COND_LOAD(load, c) ({ __typeof__(load) VAL; while (VAL = (load), !(c)) cpu_relax(); VAL; })
#define smp_cond_load_relaxed(p, c) __HMC_COND_LOAD(READ_ONCE(*(p)), c)
#define smp_cond_load_acquire(p, c) __HMC_COND_LOAD(smp_load_acquire(p), c)
#define atomic_cond_read_relaxed(v, c) __HMC_COND_LOAD(atomic_read(v), c)
#define atomic_cond_read_acquire(v, c) __HMC_COND_LOAD(atomic_read_acquire(v), c)

/* Compare-and-swap that tells whether it did, and where it did not says what was there. */
#define __HMC_TRY(cmpxchg, p, old, new) \
    ({ __typeof__(old) __hmc_at = (old); \
       __typeof__(*__hmc_at) __hmc_old = *__hmc_at, __hmc_was = cmpxchg(p, __hmc_old, new); \
       if (__hmc_was != __hmc_old) *__hmc_at = __hmc_was; \
       (_Bool)(__hmc_was == __hmc_old); })
#define try_cmpxchg(p, old, new) __HMC_TRY(cmpxchg, p, old, new)
#define try_cmpxchg_relaxed(p, old, new) __HMC_TRY(cmpxchg_relaxed, p, old, new)
#define try_cmpxchg_acquire(p, old, new) __HMC_TRY(cmpxchg_acquire, p, old, new)
#define try_cmpxchg_release(p, old, new) __HMC_TRY(cmpxchg_release, p, old, new)
#define atomic_try_cmpxchg(p, old, new) __HMC_TRY(atomic_cmpxchg, p, old, new)
#define atomic_try_cmpxchg_relaxed(p, old, new) __HMC_TRY(atomic_cmpxchg_relaxed, p, old, new)
#define atomic_try_cmpxchg_acquire(p, old, new) __HMC_TRY(atomic_cmpxchg_acquire, p, old, new)
#define atomic_try_cmpxchg_release(p, old, new) __HMC_TRY(atomic_cmpxchg_release, p, old, new)

/* Additions that are made of some values only. */
#define __HMC_ADD_IF(result, v, new, condition) \
    ({ __typeof__(v) __hmc_v = (v); \
       int __hmc_c = atomic_read(__hmc_v), __hmc_done; \
       do { __hmc_done = (condition); } while (__hmc_done && !atomic_try_cmpxchg(__hmc_v, &__hmc_c, new)); \
       (void)__hmc_done; result; })
#define atomic_fetch_add_unless(v, a, u) __HMC_ADD_IF(__hmc_c, v, __hmc_c + (a), __hmc_c != (u))
#define atomic_inc_unless_negative(v) __HMC_ADD_IF((_Bool)__hmc_done, v, __hmc_c + 1, __hmc_c >= 0)
#define atomic_dec_unless_positive(v) __HMC_ADD_IF((_Bool)__hmc_done, v, __hmc_c - 1, __hmc_c <= 0)
#define atomic_dec_if_positive(v) __HMC_ADD_IF(__hmc_c - 1, v, __hmc_c - 1, __hmc_c > 0)

/* Reference counts: an increment orders nothing, a decrement what came before, the last one also what follows. They do not saturate, and nobody is told of one
 * that is taken from 0. */
typedef struct { atomic_t refs; } refcount_t;
#define REFCOUNT_INIT(n) { ATOMIC_INIT(n) }
#define refcount_set(r, n) atomic_set(&(r)->refs, n)
#define refcount_read(r) atomic_read(&(r)->refs)
#define refcount_inc(r) ((void)atomic_fetch_add_relaxed(1, &(r)->refs))
#define refcount_add(i, r) ((void)atomic_fetch_add_relaxed(i, &(r)->refs))
#define refcount_dec(r) ((void)atomic_fetch_sub_release(1, &(r)->refs))
#define refcount_inc_not_zero(r) \
    ({ atomic_t *__hmc_refs = &(r)->refs; \
       int __hmc_n = atomic_read(__hmc_refs); \
       while (__hmc_n && !atomic_try_cmpxchg_relaxed(__hmc_refs, &__hmc_n, __hmc_n + 1)) ; \
       (_Bool)__hmc_n; })
#define refcount_sub_and_test(i, r) \
    ({ int __hmc_i = (i), __hmc_n = atomic_fetch_sub_release(__hmc_i, &(r)->refs); \
       if (__hmc_n == __hmc_i) smp_acquire__after_ctrl_dep(); \
       (_Bool)(__hmc_n == __hmc_i); })
#define refcount_dec_and_test(r) refcount_sub_and_test(1, r)

/* Bits of arrays of words. */
#define __HMC_BITS (8 * sizeof(long))
#define BIT_MASK(n) (1UL << ((n) % __HMC_BITS))
#define __HMC_BIT_WORD(n, at) ((unsigned long *)(at) + (n) / __HMC_BITS)
#define __HMC_BIT(op, n, at) ({ unsigned long __hmc_n = (n); op(BIT_MASK(__hmc_n), __HMC_BIT_WORD(__hmc_n, at)); })
#define __HMC_TEST_BIT(op, n, at) ({ unsigned long __hmc_n = (n); (op(BIT_MASK(__hmc_n), __HMC_BIT_WORD(__hmc_n, at)) & BIT_MASK(__hmc_n)) != 0; })
#define set_bit(n, at) __HMC_BIT(atomic_or, n, at)
#define clear_bit(n, at) __HMC_BIT(atomic_andnot, n, at)
#define change_bit(n, at) __HMC_BIT(atomic_xor, n, at)
#define clear_bit_unlock(n, at) ((void)__HMC_BIT(atomic_fetch_andnot_release, n, at))
#define test_and_set_bit(n, at) __HMC_TEST_BIT(atomic_fetch_or, n, at)
#define test_and_set_bit_lock(n, at) __HMC_TEST_BIT(atomic_fetch_or_acquire, n, at)
#define test_and_clear_bit(n, at) __HMC_TEST_BIT(atomic_fetch_andnot, n, at)
#define test_and_change_bit(n, at) __HMC_TEST_BIT(atomic_fetch_xor, n, at)
#define test_bit(n, at) ({ unsigned long __hmc_n = (n); (READ_ONCE(*__HMC_BIT_WORD(__hmc_n, at)) & BIT_MASK(__hmc_n)) != 0; })
