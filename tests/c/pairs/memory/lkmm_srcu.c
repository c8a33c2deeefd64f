// hmc: --cat lkmm => holds executions=2
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
//
// A grace period of another SRCU domain than the reader's.
// P. E. McKenney, "Sleepable RCU", LWN 2006.
#include <assert.h>
#include <pthread.h>

static struct srcu_struct domain, other;
static int *shared;

static void *first(void *arg) {
    int index = srcu_read_lock(&domain);
    int *seen = READ_ONCE(shared);
    assert(READ_ONCE(*seen) != 0); // HERE
    srcu_read_unlock(&domain, index);
    return arg;
}

static void *second(void *arg) {
    int *new = kmalloc(sizeof *new, GFP_KERNEL), *old = READ_ONCE(shared);
    *new = 2;
    smp_store_release(&shared, new);
#ifdef WRONG
    synchronize_srcu(&other);
#else
    synchronize_srcu(&domain);
#endif
    kfree(old); // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    shared = kmalloc(sizeof *shared, GFP_KERNEL);
    *shared = 1;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    kfree(shared);
    return 0;
}
