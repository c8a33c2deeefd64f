// hmc: --cat c11 --dependencies syntactic => holds executions=4 notes=1
// hmc: --cat lkmm --dependencies syntactic => holds executions=4 notes=1
// hmc: --cat c11 --dependencies syntactic -- -DWRONG => violated kind=assertion
// hmc: --cat lkmm --dependencies syntactic -- -DWRONG => violated kind=assertion
// hmc: --cat c11 --dependencies syntactic -- -DIN_THREAD => violated kind=assertion
// hmc: --cat lkmm --dependencies syntactic -- -DIN_THREAD => violated kind=assertion
// hmc: --cat c11 --dependencies syntactic -- -DWAITS => violated kind=assertion
// hmc: --cat c11 --dependencies syntactic --cut bytes -- -DWAITS => violated kind=assertion
// hmc: --cat imm -- -DWRONG => holds executions=3 notes=0
//
// `y = 1` happens only if the read of `x` gives what the other thread writes because of it, through no dependency that the models but imm see. Exploration does not come to that
// execution; it is found by running each thread alone, and what goes wrong in it is shown.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int seen;

static void *one(void *arg) {
    (void)arg;
    if (atomic_load_explicit(&x, memory_order_relaxed)) {
        atomic_store_explicit(&y, 1, memory_order_relaxed);
#ifdef WAITS
        while (!atomic_load_explicit(&z, memory_order_relaxed))
            ;
#endif
    }
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static void *other(void *arg) {
    (void)arg;
    int set = 0;
    if (atomic_load_explicit(&y, memory_order_relaxed))
        set = 1;
    seen = set;
    atomic_store_explicit(&x, set, memory_order_relaxed);
#if defined(IN_THREAD) || defined(WAITS)
    assert(!set); // HERE
#endif
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, other, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
#ifdef WRONG
    assert(!seen); // HERE
#endif
    return 0;
}
