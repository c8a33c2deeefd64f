// hmc: --cat sc --equivalence rf+co -- => holds executions=39
// hmc: --cat rc11 --equivalence rf+co -- => holds executions=75
// hmc: --cat sc --equivalence rf+co -- -DOPT => holds executions=39
// hmc: --cat rc11 --equivalence rf+co -- -DOPT => holds executions=132
// hmc: --cat imm --equivalence rf+co -- -DOPT => holds executions=132
//
// Clients of Michael and Scott's queue. A thread is given by three numbers: it enters so many values, then takes so often, then enters so
// many values again. The first thread sets the queue up; the others do nothing when they do not see that. Entering and taking is tried once: it
// may lose to another thread. What was entered is taken at most once. With OPT, orders are weaker than that needs, and only the number of
// executions is of interest.
// M. M. Michael, M. L. Scott, "Simple, fast, and practical non-blocking and blocking concurrent queue algorithms", PODC 1996; the clients
// are those that C. Pulte and others, "Promising-ARM/RISC-V", PLDI 2019, made known.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS {{1, 0, 0}, {1, 0, 0}, {0, 1, 0}}
#endif
#ifdef OPT
#define ACQUIRE memory_order_relaxed
#define RELEASE memory_order_relaxed
typedef atomic_int value_type;
#define READ(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define WRITE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#else
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
typedef int value_type;
#define READ(x) (x)
#define WRITE(x, v) ((x) = (v))
#endif
#define N 3
#define EACH 4

struct cell {
    value_type value;
    _Atomic(struct cell *) next;
};

static const int work[N][3] = THREADS;
static struct cell cells[N * EACH];
static _Atomic(struct cell *) head, tail;
static atomic_int ready;

static void set_up(void) {
    atomic_store_explicit(&cells[0].next, 0, memory_order_release);
    atomic_store_explicit(&head, &cells[0], memory_order_release);
    atomic_store_explicit(&tail, &cells[0], memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_release);
}

static struct cell *last(void) {
    for (;;) {
        struct cell *end = atomic_load_explicit(&tail, ACQUIRE);
        struct cell *next = atomic_load_explicit(&end->next, memory_order_relaxed);
        if (!next)
            return end;
        atomic_store_explicit(&tail, next, RELEASE);
    }
}

static void enter(int value) {
    struct cell *mine = &cells[value], *none = 0;
    WRITE(mine->value, value);
    atomic_store_explicit(&mine->next, 0, memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&last()->next, &none, mine, memory_order_release, memory_order_relaxed))
        atomic_store_explicit(&tail, mine, RELEASE);
}

// A set of values: the one that was taken, or none.
static long take(void) {
    struct cell *first = atomic_load_explicit(&head, ACQUIRE);
    struct cell *next = atomic_load_explicit(&first->next, ACQUIRE);
    if (!next || !atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_relaxed, memory_order_relaxed))
        return 0;
    return 1L << READ(next->value);
}

static void *client(void *arg) {
    int me = (int)(long)arg, value = me * EACH + 1;
    long taken = 0;
    if (me == 0)
        set_up();
    else if (!atomic_load_explicit(&ready, memory_order_acquire))
        return 0;
    for (int i = 0; i < work[me][0]; i++)
        enter(value++);
    for (int i = 0; i < work[me][1]; i++)
        taken += take();
    for (int i = 0; i < work[me][2]; i++)
        enter(value++);
    return (void *)taken;
}

int main(void) {
    pthread_t t[N];
    long all = 0;
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, client, (void *)i);
    for (int i = 0; i < N; i++) {
        void *taken;
        pthread_join(t[i], &taken);
#ifndef OPT
        assert((all & (long)taken) == 0);
#endif
        all |= (long)taken;
    }
    return 0;
}
