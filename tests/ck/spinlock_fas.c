// hmc: --cat sc -- -DCK_USE_CC_BUILTINS=1 => holds
// hmc: --cat tso -- -DCK_USE_CC_BUILTINS=1 => holds
//
// A client of Concurrency Kit's fas spin lock: two threads increment a plain counter.
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static ck_spinlock_fas_t lock = CK_SPINLOCK_FAS_INITIALIZER;
static int counter;

static void *increment(void *arg) {
    (void)arg;
    ck_spinlock_fas_lock(&lock);
    counter++;
    ck_spinlock_fas_unlock(&lock);
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
