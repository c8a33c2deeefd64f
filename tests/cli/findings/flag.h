#include <stdatomic.h>

struct flag {
    atomic_int raised;
};

static inline void flag_raise(struct flag *flag) {
    atomic_store_explicit(&flag->raised, 1, memory_order_relaxed);
}

static inline int flag_is_raised(struct flag *flag) {
    return atomic_load_explicit(&flag->raised, memory_order_acquire);
}
