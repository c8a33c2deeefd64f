// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=locks
//
// A spin lock of the kernel is given back twice.
#include <pthread.h>

static DEFINE_SPINLOCK(lock);
static int count;

static void *first(void *arg) {
    spin_lock(&lock);
    count++;
    spin_unlock(&lock);
#ifdef WRONG
    spin_unlock(&lock); // HERE
#endif
    return arg;
}

static void *second(void *arg) {
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
