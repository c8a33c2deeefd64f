// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// A lock that is taken by a compare-and-swap that tells what was there when it failed, with the order that this needs, or without.
#include <assert.h>
#include <pthread.h>

static atomic_t lock;
static int data;

static void acquire(void) {
    int old = 0;
#ifdef WRONG
    while (!atomic_try_cmpxchg_relaxed(&lock, &old, 1)) { // HERE
#else
    while (!atomic_try_cmpxchg_acquire(&lock, &old, 1)) {
#endif
        assert(old == 1);
        old = 0;
        cpu_relax();
    }
    assert(old == 0);
}

static void *work(void *arg) {
    acquire();
    data++; // HERE
    atomic_set_release(&lock, 0);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(data == 2);
    return 0;
}
