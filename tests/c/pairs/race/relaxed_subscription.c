// hmc: --cat rc11 => holds
// hmc: --cat c11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
// hmc: --cat c11 -- -DWRONG => violated kind=race
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// A flag read with a relaxed load does not acquire the data.
#include <pthread.h>
#include <stdatomic.h>

static int data, seen;
static atomic_int ready;
#ifdef WRONG
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif

static void *first(void *arg) {
    data = 42; // HERE
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

static void *second(void *arg) {
    if (atomic_load_explicit(&ready, ACQUIRE))
        seen = data; // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
