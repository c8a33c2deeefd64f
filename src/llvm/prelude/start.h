/* Made by hmc from the macros of the memory model. */
#ifndef HMC_MODEL_PRIMITIVES
#define HMC_MODEL_PRIMITIVES
#ifdef __cplusplus
extern "C" {
#endif
unsigned long __hmc_load(const char *, unsigned long, const volatile void *);
unsigned long __hmc_store(const char *, unsigned long, const volatile void *, unsigned long);
unsigned long __hmc_fence(const char *);
unsigned long __hmc_xchg(const char *, unsigned long, const volatile void *, unsigned long);
unsigned long __hmc_cmpxchg(const char *, unsigned long, const volatile void *, unsigned long, unsigned long);
unsigned long __hmc_atomic_op(const char *, unsigned long, const volatile void *, unsigned long, int);
unsigned long __hmc_atomic_op_return(const char *, unsigned long, const volatile void *, unsigned long, int);
unsigned long __hmc_atomic_fetch_op(const char *, unsigned long, const volatile void *, unsigned long, int);
unsigned long __hmc_atomic_add_unless(const char *, unsigned long, const volatile void *, unsigned long, unsigned long);
unsigned long __hmc_lock(const char *, const volatile void *);
unsigned long __hmc_trylock(const char *, const volatile void *);
unsigned long __hmc_unlock(const char *, const volatile void *);
unsigned long __hmc_islocked(const char *, const volatile void *);
unsigned long __hmc_srcu(const char *, const volatile void *);
void hmc_assert(int);
void *kmalloc(unsigned long, unsigned int);
void *kzalloc(unsigned long, unsigned int);
void kfree(const void *);
#ifdef __cplusplus
}
#endif
typedef struct { int counter; } atomic_t;
typedef struct { long counter; } atomic64_t;
typedef atomic64_t atomic_long_t;
typedef struct { int locked; } spinlock_t;
struct mutex { int locked; };
struct srcu_struct { int index; };
#define __HMC_SCALAR(e) _Generic((e), atomic_t: 0, atomic64_t: 0L, spinlock_t: 0, struct mutex: 0, struct srcu_struct: 0, default: (e))
#define __HMC_RESULT(p) (__typeof__(__HMC_SCALAR(*(p))))
#define __HMC_AT(p) sizeof(*(p)), (p)
#define __HMC_WORD(v) ((unsigned long)(v))
#define ATOMIC_INIT(n) { (n) }
#define __SPIN_LOCK_UNLOCKED(x) { 0 }
#define DEFINE_SPINLOCK(x) spinlock_t x = { 0 }
#define DEFINE_MUTEX(x) struct mutex x = { 0 }
#define DEFINE_SRCU(x) struct srcu_struct x = { 0 }
#define DEFINE_STATIC_SRCU(x) static struct srcu_struct x = { 0 }
#define spin_lock_init(x) ((void)((x)->locked = 0))
#define mutex_init(x) ((void)((x)->locked = 0))
#define init_srcu_struct(x) ((x)->index = 0)
#define GFP_KERNEL 0U
#define GFP_ATOMIC 1U
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define cpu_relax() ((void)0)
#define BUG_ON(x) hmc_assert(!(x))
