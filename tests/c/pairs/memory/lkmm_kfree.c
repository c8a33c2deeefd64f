// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
//
// kfree without a grace period: a reader may still use the object.
#include <pthread.h>

struct item {
    int value;
};

static struct item first_item = {1}, *shared;

static void *first(void *arg) {
    rcu_read_lock();
    struct item *seen = rcu_dereference(shared);
    int value = READ_ONCE(seen->value); // HERE
    (void)value;
    rcu_read_unlock();
    return arg;
}

static void *second(void *arg) {
    struct item *old = shared;
    rcu_assign_pointer(shared, &first_item);
#ifndef WRONG
    synchronize_rcu();
#endif
    kfree(old); // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    shared = kmalloc(sizeof *shared, GFP_KERNEL);
    shared->value = 2;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
