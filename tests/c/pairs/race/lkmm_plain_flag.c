// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// A plain store races with a marked load.
#include <pthread.h>

static int data, ready;

static void *first(void *arg) {
    WRITE_ONCE(data, 1);
#ifdef WRONG
    ready = 1; // HERE
#else
    smp_store_release(&ready, 1);
#endif
    return arg;
}

static void *second(void *arg) {
    if (smp_load_acquire(&ready)) // HERE
        BUG_ON(!READ_ONCE(data));
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
