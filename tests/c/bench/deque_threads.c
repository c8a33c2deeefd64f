// hmc: --cat sc -- => holds executions=1373
// hmc: --cat rc11 -- => holds executions=1432
// hmc: --cat rc11 -- -DOPT => holds executions=1432
// hmc: --cat rc11 -- -DPUSH=1 -DTAKE=1 -DMORE=0 -DA=1 -DB=1 => holds
//
// Clients of Chase and Lev's deque: the owner pushes PUSH values, takes TAKE times, pushes MORE, and two thieves try to steal A and B times.
// The orders are those of N. M. Lê and others; with OPT weaker where a deque that never wraps around allows it. No value is got twice.
// D. Chase, Y. Lev, "Dynamic circular work-stealing deque", SPAA 2005; N. M. Lê, A. Pop, A. Cohen, F. Zappa Nardelli, "Correct and
// efficient work-stealing for weak memory models", PPoPP 2013; the clients are those that C. Pulte and others,
// "Promising-ARM/RISC-V", PLDI 2019, made known.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef PUSH
#define PUSH 2
#define TAKE 1
#define MORE 1
#define A 2
#define B 1
#endif
#ifdef OPT
#define SEE_TOP memory_order_relaxed
#define LAST memory_order_release, memory_order_relaxed
#else
#define SEE_TOP memory_order_acquire
#define LAST memory_order_acq_rel, memory_order_acquire
#endif
#define SIZE 10

static atomic_long bottom, top;
static atomic_int array[SIZE];

static long get(atomic_long *p) { return atomic_load_explicit(p, memory_order_relaxed); }
static void set(atomic_long *p, long v) { atomic_store_explicit(p, v, memory_order_relaxed); }
static int at(long i) { return atomic_load_explicit(&array[i % SIZE], memory_order_relaxed); }

static void push(int value) {
    long b = get(&bottom), t = atomic_load_explicit(&top, SEE_TOP);
    if (b - t >= SIZE)
        return;
    atomic_store_explicit(&array[b % SIZE], value, memory_order_relaxed);
    atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

// A set of values: the one that was got, or none. That is so for `steal` too.
static long take(void) {
    long b = get(&bottom);
    set(&bottom, b - 1);
    atomic_thread_fence(memory_order_seq_cst);
    long t = get(&top);
    if (b <= t) {
        set(&bottom, b);
        return 0;
    }
    int value = at(b - 1);
    if (b - t > 1)
        return 1L << value;
    int mine = atomic_compare_exchange_strong_explicit(&top, &t, t + 1, LAST);
    set(&bottom, b);
    return mine ? 1L << value : 0;
}

static long steal(void) {
    long t = get(&top);
    atomic_thread_fence(memory_order_seq_cst);
    long b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (b <= t)
        return 0;
    int value = at(t);
    return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_release, memory_order_relaxed) ? 1L << value
                                                                                                               : 0;
}

static void *owner(void *arg) {
    (void)arg;
    int value = 1;
    long got = 0;
    for (int i = 0; i < PUSH; i++)
        push(value++);
    for (int i = 0; i < TAKE; i++)
        got += take();
    for (int i = 0; i < MORE; i++)
        push(value++);
    return (void *)got;
}

static void *thief(void *arg) {
    long got = 0;
    for (long i = 0; i < (long)arg; i++)
        got += steal();
    return (void *)got;
}

int main(void) {
    pthread_t t[3];
    long all = 0;
    pthread_create(&t[0], 0, owner, 0);
    pthread_create(&t[1], 0, thief, (void *)A);
    pthread_create(&t[2], 0, thief, (void *)B);
    for (int i = 0; i < 3; i++) {
        void *got;
        pthread_join(t[i], &got);
        assert((all & (long)got) == 0);
        all |= (long)got;
    }
    return 0;
}
