// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=liveness
//
// Two spin locks of the kernel, taken in different orders.
#include <pthread.h>

static DEFINE_SPINLOCK(one);
static DEFINE_SPINLOCK(two);

static void *first(void *arg) {
    spin_lock(&one);
    spin_lock(&two); // HERE
    spin_unlock(&two);
    spin_unlock(&one);
    return arg;
}

static void *second(void *arg) {
#ifdef WRONG
    spin_lock(&two);
    spin_lock(&one); // HERE
    spin_unlock(&one);
    spin_unlock(&two);
#else
    spin_lock(&one);
    spin_lock(&two);
    spin_unlock(&two);
    spin_unlock(&one);
#endif
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
