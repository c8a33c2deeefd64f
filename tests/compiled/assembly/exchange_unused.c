// An exchange whose old value nobody uses, before a fence that acquires: it reads all the same, and what it has read from is before the fence.
#include <stdatomic.h>

atomic_int x, y;
int r0;

void P0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
}

void P1(void) {
    atomic_exchange_explicit(&y, 2, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    r0 = atomic_load_explicit(&x, memory_order_relaxed);
}
