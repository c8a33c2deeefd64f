// hmc: --cat c11 --dependencies syntactic => violated kind=liveness
// hmc: --cat lkmm --dependencies syntactic => violated kind=liveness
// hmc: --cat c11 --dependencies syntactic -- -DANYHOW => holds executions=5 notes=1
// hmc: --cat lkmm --dependencies syntactic -- -DANYHOW => holds executions=5 notes=1
// hmc: --cat c11 --dependencies syntactic -- -DANYHOW -DJOINS => violated kind=liveness
// hmc: --cat lkmm --dependencies syntactic -- -DANYHOW -DJOINS => violated kind=liveness
// hmc: --cat imm => holds notes=0
// hmc: --cat rc11 => holds notes=0
//
// `y = 1` happens only if the read of `x` gives what the other thread writes because of it, through no dependency that the models but imm see. `z = 1` does not happen then, and the
// third thread waits for ever, or the first one for `main`, which waits for it (`-DJOINS`). No execution in which all threads come to their ends is like that; it is found by running each thread alone.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

static pthread_t first;

static void *decides(void *arg) {
    (void)arg;
    int set = 0;
    if (atomic_load_explicit(&x, memory_order_relaxed))
        set = 1;
    atomic_store_explicit(&y, set, memory_order_relaxed);
#ifdef JOINS
    if (set)
        pthread_join(first, 0); // HERE
#endif
#ifdef ANYHOW
    set = 0;
#endif
    atomic_store_explicit(&z, !set, memory_order_relaxed);
    return 0;
}

static void *copies(void *arg) {
    (void)arg;
    int set = 0;
    if (atomic_load_explicit(&y, memory_order_relaxed))
        set = 1;
    atomic_store_explicit(&x, set, memory_order_relaxed);
    return 0;
}

static void *waits(void *arg) {
    (void)arg;
    while (!atomic_load_explicit(&z, memory_order_relaxed)) // HERE
        ;
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    first = pthread_self();
    pthread_create(&a, 0, decides, 0);
    pthread_create(&b, 0, copies, 0);
    pthread_create(&c, 0, waits, 0);
    pthread_join(a, 0); // HERE
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
