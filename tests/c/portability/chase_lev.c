// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv => holds
// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv -- -DWRONG => holds,violated,holds,violated,violated,violated,violated kind=assertion
//
// Chase and Lev's work-stealing deque: the owner's push publishes with a relaxed store instead of a releasing one, so that a thief may
// steal a slot before it is filled. N. M. Lê, A. Pop, A. Cohen, F. Zappa Nardelli, "Correct and efficient work-stealing for weak memory
// models", PPoPP 2013.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static atomic_int top, bottom, slot[2];

static void push(int x) {
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&slot[b % 2], x, memory_order_relaxed);
    atomic_store_explicit(&bottom, b + 1, RELEASE);
}

static int steal(void) {
    int t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return -1;
    int x = atomic_load_explicit(&slot[t % 2], memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
        return -1;
    return x;
}

static void *owner(void *arg) {
    push(1);
    return arg;
}

static void *thief(void *arg) {
    int x = steal();
    assert(x != 0); // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, owner, 0);
    pthread_create(&b, 0, thief, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
