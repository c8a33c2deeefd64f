// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=assertion
//
// Store buffering under the kernel's model: a read barrier does not order a store with a later load.
#include <pthread.h>

static int x, y, seen_y, seen_x;
#ifdef WRONG
#define BARRIER() smp_rmb()
#else
#define BARRIER() smp_mb()
#endif

static void *first(void *arg) {
    WRITE_ONCE(x, 1);
    BARRIER();
    seen_y = READ_ONCE(y);
    return arg;
}

static void *second(void *arg) {
    WRITE_ONCE(y, 1);
    BARRIER();
    seen_x = READ_ONCE(x);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    hmc_assert(seen_y || seen_x); // HERE
    return 0;
}
