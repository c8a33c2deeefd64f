// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
// hmc: --cat rc11 -- -DPUBLISH=memory_order_relaxed => violated
//
// The work-stealing deque whose array is exchanged for a larger one while a thief may look at the old one.
// N. M. Le, A. Pop, A. Cohen, F. Zappa Nardelli, "Correct and efficient work-stealing for weak memory models", PPoPP 2013.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif
#define relaxed memory_order_relaxed
#define load(p) atomic_load_explicit(p, relaxed)
#define store(p, v) atomic_store_explicit(p, v, relaxed)

struct array {
    int size;
    atomic_int item[2];
};

static atomic_long top, bottom;
static _Atomic(struct array *) current;
static atomic_int taken[3];

static struct array *make(int size) {
    struct array *a = malloc(sizeof *a);
    a->size = size;
    for (int i = 0; i < size; i++)
        atomic_init(&a->item[i], 0);
    return a;
}

static void push(int value) {
    long b = load(&bottom), t = atomic_load_explicit(&top, memory_order_acquire);
    struct array *a = load(&current);
    if (b - t > a->size - 1) {
        struct array *larger = make(a->size * 2);
        for (long i = t; i < b; i++)
            store(&larger->item[i % larger->size], load(&a->item[i % a->size]));
        atomic_store_explicit(&current, larger, PUBLISH);
        a = larger;
    }
    store(&a->item[b % a->size], value);
    atomic_thread_fence(PUBLISH);
    store(&bottom, b + 1);
}

static int take(void) {
    long b = load(&bottom) - 1;
    struct array *a = load(&current);
    store(&bottom, b);
    atomic_thread_fence(memory_order_seq_cst);
    long t = load(&top);
    int value = 0;
    if (t <= b)
        value = load(&a->item[b % a->size]);
    if (t >= b) {
        if (t == b && !atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, relaxed))
            value = 0;
        store(&bottom, b + 1);
    }
    return value;
}

static int steal(void) {
    long t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    if (t >= atomic_load_explicit(&bottom, memory_order_acquire))
        return 0;
    struct array *a = atomic_load_explicit(&current, memory_order_acquire);
    int value = load(&a->item[t % a->size]);
    return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, relaxed) ? value : -1;
}

static void got(int value) {
    assert(value != 0);
    if (value > 0)
        assert(atomic_fetch_add_explicit(&taken[value], 1, relaxed) == 0);
}

static void *thief(void *arg) {
    if (atomic_load_explicit(&bottom, relaxed) > 0)
        got(steal() ?: -1);
    return arg;
}

int main(void) {
    pthread_t a;
    store(&current, make(1));
    pthread_create(&a, 0, thief, 0);
    push(1);
    push(2);
    got(take() ?: -1);
    pthread_join(a, 0);
    return 0;
}
