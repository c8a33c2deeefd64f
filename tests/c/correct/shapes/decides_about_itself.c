// hmc: --cat lkmm --dependencies syntactic => holds executions=4 notes=1
// hmc: --cat lkmm --dependencies syntactic -- -DPOINTERS => holds executions=4 notes=1
// hmc: --cat c11 --dependencies syntactic -- -DPOINTERS => holds executions=4 notes=1
// hmc: --cat imm => holds executions=3 notes=0
// hmc: --cat imm -- -DPOINTERS => holds executions=3 notes=0
//
// `y = 1` happens only if the read of `x` gives what the other thread writes because of it, through no dependency that lkmm and c11 see. Exploration does
// not find that execution; it is found by running each thread alone, and a note says so, also where calls go through pointers. imm orders it away.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void one(void) {
    if (atomic_load_explicit(&x, memory_order_relaxed))
        atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
}

static void other(void) {
    int set = 0;
    if (atomic_load_explicit(&y, memory_order_relaxed))
        set = 1;
    atomic_store_explicit(&x, set, memory_order_relaxed);
}

#ifdef POINTERS
static void *run(void *what) {
    ((void (*)(void))what)();
    return 0;
}
#else
static void *run(void *what) {
    if (what)
        one();
    else
        other();
    return 0;
}
#endif

int main(void) {
    pthread_t threads[2];
#ifdef POINTERS
    pthread_create(&threads[0], 0, run, one);
    pthread_create(&threads[1], 0, run, other);
#else
    pthread_create(&threads[0], 0, run, &x);
    pthread_create(&threads[1], 0, run, 0);
#endif
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
