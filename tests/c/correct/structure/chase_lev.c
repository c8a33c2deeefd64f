// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
//
// Chase and Lev's work-stealing deque with a fixed array.
// D. Chase, Y. Lev, "Dynamic circular work-stealing deque", SPAA 2005; memory orders of N. M. Lê, A. Pop, A. Cohen, F. Zappa Nardelli,
// "Correct and efficient work-stealing for weak memory models", PPoPP 2013.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef TAKE_FENCE
#define TAKE_FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif

#define SIZE 4
#define EMPTY 0
#define ABORT (-1)

static atomic_int top, bottom;
static atomic_int array[SIZE];
static atomic_int taken[3];

static void push(int x) {
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&array[b % SIZE], x, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void) {
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    TAKE_FENCE();
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    int x = EMPTY;
    if (t <= b) {
        x = atomic_load_explicit(&array[b % SIZE], memory_order_relaxed);
        if (t == b) {
            // The last one: race with the thieves for it.
            if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
                x = EMPTY;
            atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
        }
    } else {
        atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    }
    return x;
}

static int steal(void) {
    int t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return EMPTY;
    int x = atomic_load_explicit(&array[t % SIZE], memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
        return ABORT;
    return x;
}

static void own(int x) {
    if (x > 0)
        assert(atomic_fetch_add_explicit(&taken[x], 1, memory_order_relaxed) == 0);
}

static void *owner(void *arg) {
    (void)arg;
    push(1);
    push(2);
    own(take());
    own(take());
    return 0;
}

static void *thief(void *arg) {
    (void)arg;
    own(steal());
#ifdef TWICE
    own(steal());
#endif
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, owner, 0);
    pthread_create(&b, 0, thief, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
