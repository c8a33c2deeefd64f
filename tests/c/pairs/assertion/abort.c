// hmc: --cat rc11 => holds
// hmc: --cat aarch64 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
// hmc: --cat aarch64 -- -DWRONG => violated kind=assertion
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=assertion
//
// A thread gives up when it sees the second write without the first.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
#ifdef WRONG
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static void *first(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, RELEASE);
    return arg;
}

static void *second(void *arg) {
    if (atomic_load_explicit(&y, memory_order_acquire) && !atomic_load_explicit(&x, memory_order_relaxed))
        abort(); // HERE
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
