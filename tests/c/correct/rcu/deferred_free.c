// hmc: --cat lkmm => holds
//
// A reader that sees the pointer cannot see what the updater does after the grace period.
#include <assert.h>
#include <pthread.h>

#ifndef GRACE_PERIOD
#define GRACE_PERIOD() synchronize_rcu()
#endif

static int removed, freed;

static void *reader(void *arg) {
    (void)arg;
    rcu_read_lock();
    int f = READ_ONCE(freed);
    int r = READ_ONCE(removed);
    rcu_read_unlock();
    assert(!f || r);
    return 0;
}

static void *reader2(void *arg) {
    (void)arg;
    rcu_read_lock();
    int r = READ_ONCE(removed);
    int f = READ_ONCE(freed);
    rcu_read_unlock();
    assert(r || !f);
    return 0;
}

static void *updater(void *arg) {
    (void)arg;
    WRITE_ONCE(removed, 1);
    GRACE_PERIOD();
    WRITE_ONCE(freed, 1);
    return 0;
}

int main(void) {
    pthread_t a, b, u;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader2, 0);
    pthread_create(&u, 0, updater, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(u, 0);
    return 0;
}
