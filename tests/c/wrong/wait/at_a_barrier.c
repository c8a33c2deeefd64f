// hmc: --cat sc => violated kind=assertion
// hmc: --cat rc11 => violated kind=assertion
// hmc: --cat c11 => violated kind=assertion
// hmc: --cat imm => violated kind=assertion
// hmc: --cat aarch64 => violated kind=assertion
// hmc: --cat power => violated kind=assertion
//
// A thread that waits at a barrier does not run before the last one has come there. Who takes `other` for the next to run when `second` writes
// does not let `first` read what it writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static pthread_barrier_t barrier;
static int seen;

static void *first(void *arg) {
    seen = atomic_fetch_or_explicit(&y, 2, memory_order_relaxed);
    pthread_barrier_wait(&barrier);
    return arg;
}

static void *other(void *arg) {
    pthread_barrier_wait(&barrier);
    return arg;
}

static void *second(void *arg) {
    if (atomic_fetch_or_explicit(&x, 1, memory_order_seq_cst) == 0)
        atomic_store_explicit(&y, 1, memory_order_release);
    pthread_barrier_wait(&barrier);
    return arg;
}

int main(void) {
    pthread_t threads[3];
    pthread_barrier_init(&barrier, 0, 3);
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, other, 0);
    pthread_create(&threads[2], 0, second, 0);
    (void)atomic_load_explicit(&y, memory_order_relaxed);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(seen == 0); // HERE
    return 0;
}
