// hmc: --cat aarch64,c11,lkmm,power,riscv => holds,holds,holds,holds,holds
// hmc: --cat aarch64 -- -DWRONG => violated kind=assertion
// hmc: --cat c11 -- -DWRONG => violated kind=assertion
// hmc: --cat lkmm -- -DWRONG => violated kind=assertion
// hmc: --cat power -- -DWRONG => violated kind=assertion
// hmc: --cat riscv -- -DWRONG => violated kind=assertion
//
// A writer reads what comes round of its own exchange, and its next write is overtaken by a flag. With release and acquire the flag overtakes nothing.
// (That execution was lost: a revisit that leaves open what the writer reads first was thought of where it cannot be made, and not where it can, and a larger one was left out as if it came of that.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define RELEASE memory_order_relaxed
#define ACQUIRE memory_order_relaxed
#else
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#endif

static atomic_int round_trip, flag, place = 30;
static int seen, read_only, old, came, was;

static void *reader(void *arg) {
    seen = atomic_load_explicit(&flag, ACQUIRE); // HERE
    read_only = atomic_load_explicit(&place, memory_order_relaxed); // HERE
    atomic_store_explicit(&round_trip, read_only, memory_order_relaxed); // HERE
    return arg;
}

static void *updater(void *arg) {
    old = atomic_fetch_add_explicit(&place, 1, memory_order_relaxed); // HERE
    atomic_store_explicit(&flag, 1, RELEASE); // HERE
    return arg;
}

static void *writer(void *arg) {
    came = atomic_load_explicit(&round_trip, memory_order_relaxed); // HERE
    was = atomic_exchange_explicit(&place, 1, memory_order_relaxed); // HERE
    atomic_store_explicit(&place, was, memory_order_relaxed); // HERE
    return arg;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, reader, 0);
    pthread_create(&t[1], 0, updater, 0);
    pthread_create(&t[2], 0, writer, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(seen != 1 || read_only != 1 || old != 30 || came != 1 || was != 30); // HERE
    return 0;
}
