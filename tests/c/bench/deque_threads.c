// hmc: --cat sc -- -DPUSH=2 -DTAKE=1 -DMORE=1 -DA=2 -DB=1 => holds
// hmc: --cat rc11 -- -DPUSH=1 -DTAKE=1 -DMORE=0 -DA=1 -DB=1 => holds
// hmc: --cat rc11 -- -DOPT -DPUSH=2 -DTAKE=1 -DMORE=1 -DA=2 -DB=1 => holds
//
// Clients of Chase and Lev's deque: the owner pushes PUSH values, takes TAKE, pushes MORE, and two thieves steal A and B times. All
// accesses are sequentially consistent, or, with OPT, those of N. M. Lê and others. No value is got twice.
// D. Chase, Y. Lev, "Dynamic circular work-stealing deque", SPAA 2005; N. M. Lê, A. Pop, A. Cohen, F. Zappa Nardelli, "Correct and
// efficient work-stealing for weak memory models", PPoPP 2013.
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
#define ACQUIRE memory_order_acquire
#define RELAXED memory_order_relaxed
#else
#define ACQUIRE memory_order_seq_cst
#define RELAXED memory_order_seq_cst
#endif
#define SIZE 4
#define FENCE(order) atomic_thread_fence(memory_order_##order)

static atomic_int top, bottom;
static atomic_int array[SIZE];
static atomic_int got[PUSH + MORE + 1];

static int get(atomic_int *p) { return atomic_load_explicit(p, RELAXED); }
static void set(atomic_int *p, int v) { atomic_store_explicit(p, v, RELAXED); }

static int advance(int t) {
    return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, RELAXED);
}

static void own(int x) {
    if (x > 0)
        assert(atomic_fetch_add_explicit(&got[x], 1, memory_order_relaxed) == 0);
}

static void push(int x) {
    int b = get(&bottom);
    set(&array[b % SIZE], x);
    FENCE(release);
    set(&bottom, b + 1);
}

static void take(void) {
    int b = get(&bottom) - 1;
    set(&bottom, b);
    FENCE(seq_cst);
    int t = get(&top), x = 0;
    if (t <= b) {
        x = get(&array[b % SIZE]);
        if (t == b) {
            if (!advance(t))
                x = 0;
            set(&bottom, b + 1);
        }
    } else {
        set(&bottom, b + 1);
    }
    own(x);
}

static void steal(void) {
    int t = atomic_load_explicit(&top, ACQUIRE);
    FENCE(seq_cst);
    int b = atomic_load_explicit(&bottom, ACQUIRE);
    if (t < b) {
        int x = get(&array[t % SIZE]);
        if (advance(t))
            own(x);
    }
}

static void *owner(void *arg) {
    (void)arg;
    int x = 1;
    for (int i = 0; i < PUSH; i++)
        push(x++);
    for (int i = 0; i < TAKE; i++)
        take();
    for (int i = 0; i < MORE; i++)
        push(x++);
    return 0;
}

static void *thief(void *arg) {
    for (long i = 0; i < (long)arg; i++)
        steal();
    return 0;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, owner, 0);
    pthread_create(&t[1], 0, thief, (void *)A);
    pthread_create(&t[2], 0, thief, (void *)B);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
