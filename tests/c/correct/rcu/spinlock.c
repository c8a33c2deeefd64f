// hmc: --cat lkmm => holds executions=2
//
// Two critical sections of a kernel spin lock.
#include <assert.h>
#include <pthread.h>

#ifndef LOCK
#define LOCK() spin_lock(&lock)
#define UNLOCK() spin_unlock(&lock)
#endif

static spinlock_t lock;
static int counter;

static void *increment(void *arg) {
    (void)arg;
    LOCK();
    counter++;
    UNLOCK();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increment, 0);
    pthread_create(&b, 0, increment, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
