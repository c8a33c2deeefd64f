// hmc: --cat sc -- -DL=3 => holds
// hmc: --cat tso -- -DL=3 => holds
//
// Peterson's mutual exclusion where one thread enters once and then the other, which waits for it to leave, enters L times.
// G. L. Peterson, "Myths about the mutual exclusion problem", Information Processing Letters 12(3), 1981.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef L
#define L 10
#endif

static atomic_int flag[2], turn, left;
static int inside;

static void enter(int me) {
    int other = 1 - me;
    atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&turn, other, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&flag[other], memory_order_acquire) &&
           atomic_load_explicit(&turn, memory_order_acquire) == other)
        ;
    inside = me;
    assert(inside == me);
    atomic_store_explicit(&flag[me], 0, memory_order_release);
}

static void *once(void *arg) {
    (void)arg;
    enter(0);
    atomic_store_explicit(&left, 1, memory_order_release);
    return 0;
}

static void *often(void *arg) {
    (void)arg;
    while (!atomic_load_explicit(&left, memory_order_acquire))
        ;
    for (int i = 0; i < L; i++)
        enter(1);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, once, 0);
    pthread_create(&b, 0, often, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
