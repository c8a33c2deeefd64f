// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=assertion
//
// Message passing under the kernel's model: WRITE_ONCE orders nothing.
#include <pthread.h>

static int data, ready;

static void *first(void *arg) {
    WRITE_ONCE(data, 1);
#ifdef WRONG
    WRITE_ONCE(ready, 1);
#else
    smp_store_release(&ready, 1);
#endif
    return arg;
}

static void *second(void *arg) {
    int r = smp_load_acquire(&ready);
    int d = READ_ONCE(data);
    BUG_ON(r && !d); // HERE
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
