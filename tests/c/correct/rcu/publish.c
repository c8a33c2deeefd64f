// hmc: --cat lkmm => holds
//
// RCU: publish a new version, wait for a grace period, poison the old one.
// P. E. McKenney, J. D. Slingwine, "Read-copy update: using execution history to solve concurrency problems", PDCS 1998.
#include <assert.h>
#include <pthread.h>

struct config {
    int a, b;
};

static struct config old = {1, 1}, new;
static struct config *current = &old;

#ifndef GRACE_PERIOD
#define GRACE_PERIOD() synchronize_rcu()
#endif
#ifndef ASSIGN
#define ASSIGN(p, v) rcu_assign_pointer(p, v)
#endif

static void *reader(void *arg) {
    (void)arg;
    rcu_read_lock();
    struct config *c = rcu_dereference(current);
    int a = c->a, b = c->b;
    rcu_read_unlock();
    assert(a == b);
    return 0;
}

static void *updater(void *arg) {
    (void)arg;
    new.a = 2;
    new.b = 2;
    ASSIGN(current, &new);
    GRACE_PERIOD();
    old.a = 0;
    old.b = -1;
    return 0;
}

int main(void) {
    pthread_t r, u;
    pthread_create(&r, 0, reader, 0);
    pthread_create(&u, 0, updater, 0);
    pthread_join(r, 0);
    pthread_join(u, 0);
    return 0;
}
