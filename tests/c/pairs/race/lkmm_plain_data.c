// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// Plain data behind a flag that does not release.
#include <pthread.h>

static int data, ready;

static void *first(void *arg) {
    data = 1; // HERE
#ifdef WRONG
    WRITE_ONCE(ready, 1);
#else
    smp_store_release(&ready, 1);
#endif
    return arg;
}

static void *second(void *arg) {
    if (smp_load_acquire(&ready)) {
        int seen = data; // HERE
        BUG_ON(!seen);
    }
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
