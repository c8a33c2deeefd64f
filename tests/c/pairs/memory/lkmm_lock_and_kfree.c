// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
//
// The object is freed outside the lock that its users hold.
#include <pthread.h>

static DEFINE_SPINLOCK(lock);
static int *shared;

static void *first(void *arg) {
    spin_lock(&lock);
    if (shared)
        *shared = 1; // HERE
    spin_unlock(&lock);
    return arg;
}

static void *second(void *arg) {
    int *old = shared;
#ifdef WRONG
    kfree(old); // HERE
    (void)lock;
#else
    spin_lock(&lock);
    shared = 0;
    spin_unlock(&lock);
    kfree(old);
#endif
    return arg;
}

int main(void) {
    pthread_t a, b;
    shared = kmalloc(sizeof *shared, GFP_KERNEL);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
