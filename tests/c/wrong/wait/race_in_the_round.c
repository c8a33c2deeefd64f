// hmc: --cat rc11 => violated kind=race
// hmc: --cat c11 => violated kind=race
// hmc: --cat rc11 -- -DFIRST => violated kind=race
// hmc: --cat c11 -- -DFIRST => violated kind=race
// hmc: --cat rc11 -- -DATOMIC => violated kind=race
// hmc: --cat rc11 -- -DASSUMED => violated kind=race
// hmc: --cat rc11 -- -DLATE => violated kind=race
// hmc: --cat c11 -- -DLATE => violated kind=race
// hmc: --cat lkmm => violated kind=race
// hmc: --cat sc => holds
//
// The reader looks at a plain variable in each round in which the writer is not done. It races with the writer there, and in no round that leads out of the loop: all
// executions that end are free of races.
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_int done;
#if defined ATOMIC
static atomic_int data; // The writer does not care.
#else
static int data;
#endif

static void *writer(void *arg) {
    (void)arg;
#if defined LATE
    *(int *)&done = 0; // HERE
#elif defined ATOMIC
    *(int *)&data = 1; // HERE
#else
    data = 1; // HERE
#endif
    atomic_store_explicit(&done, 1, memory_order_release);
    return 0;
}

static void *reader(void *arg) {
    int seen = 0;
#if defined LATE
    while (!atomic_load_explicit(&done, memory_order_acquire)) // HERE
        ;
#elif defined ASSUMED
    if (!atomic_load_explicit(&done, memory_order_acquire)) {
        seen = data; // HERE
        __VERIFIER_assume(seen == 7);
    }
#elif defined FIRST
    for (;;) {
        if (atomic_load_explicit(&done, memory_order_acquire))
            break;
        seen = data; // HERE
        if (seen == 7)
            break;
    }
#else
    while (!atomic_load_explicit(&done, memory_order_acquire)) {
#if defined ATOMIC
        seen = atomic_load_explicit(&data, memory_order_relaxed); // HERE
#else
        seen = data; // HERE
#endif
        if (seen == 7)
            return arg;
    }
#endif
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
