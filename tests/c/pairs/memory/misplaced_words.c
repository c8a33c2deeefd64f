// hmc: --cat sc,rc11,aarch64,lkmm => holds,holds,holds,holds
// hmc: --cat rc11 -- -DWRONG=1 => violated kind=memory
// hmc: --cat rc11 -- -DWRONG=2 => violated kind=memory
// hmc: --cat rc11 -- -DWRONG=3 => violated kind=memory
// hmc: --cat rc11 -- -DWRONG=4 => violated kind=memory
// hmc: --cat rc11 -- -DWRONG=5 => violated kind=memory
// hmc: --cat rc11 -- -DWRONG=6 => violated kind=memory
// hmc: --cat rc11 -- -DWRONG=4 -DEARLY => violated kind=memory
//
// Bytes that are accessed as words. Atomic words that are not at a multiple of their size, that reach across the end, and a length that is no length.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static char bytes[32] __attribute__((aligned(16)));
static char small[6] __attribute__((aligned(8)));

static void *words(void *arg) {
#ifndef WRONG
    atomic_store_explicit((_Atomic int *)(bytes + 4), 1, memory_order_relaxed);
    __atomic_store_n((__int128 *)(bytes + 16), 1, __ATOMIC_RELAXED);
#elif WRONG == 1
    atomic_store_explicit((_Atomic int *)(bytes + 2), 1, memory_order_relaxed); // HERE
#elif WRONG == 2
    atomic_store_explicit((_Atomic long *)small, 1, memory_order_relaxed); // HERE
#elif WRONG == 3
    atomic_fetch_add_explicit((_Atomic int *)(bytes + 32), 1, memory_order_relaxed); // HERE
#elif WRONG == 4
    __atomic_store_n((__int128 *)(bytes + 8), 1, __ATOMIC_RELAXED); // HERE
#elif WRONG == 5
    volatile long wild = -8;
    memset(bytes, 0, wild); // HERE
#elif WRONG == 6
    memcpy(bytes + 24, bytes, 9); // HERE
#endif
    return arg;
}

int main(void) {
    pthread_t thread;
#ifdef EARLY
    words(0);
#endif
    pthread_create(&thread, 0, words, 0);
    pthread_join(thread, 0);
    return 0;
}
