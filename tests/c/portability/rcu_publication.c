// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated
//
// A new version is published with a plain store of the pointer instead of rcu_assign_pointer: a reader may see it before its contents.
// Under the kernel's model; publication.c is the same in C11, for processors.
#include <pthread.h>

struct version {
    int number;
};

static struct version first = {1}, second;
static struct version *current = &first;

static void *reader(void *arg) {
    rcu_read_lock();
    struct version *seen = rcu_dereference(current); // HERE
    int number = READ_ONCE(seen->number);
    rcu_read_unlock();
    hmc_assert(number != 0);
    return arg;
}

static void *updater(void *arg) {
    WRITE_ONCE(second.number, 2);
#ifdef WRONG
    current = &second; // HERE
#else
    rcu_assign_pointer(current, &second);
#endif
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, updater, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
