// hmc: --cat sc -- -DCK_USE_CC_BUILTINS=1 => holds
// hmc: --cat tso -- -DCK_USE_CC_BUILTINS=1 => holds
//
// A client of Concurrency Kit's ticket spin lock: it reads a half of a word that it also updates as a whole (accesses of several
// sizes to one place).
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static ck_spinlock_ticket_t lock = CK_SPINLOCK_TICKET_INITIALIZER;
static int counter;

static void *increment(void *arg) {
    (void)arg;
    ck_spinlock_ticket_lock(&lock);
    counter++;
    ck_spinlock_ticket_unlock(&lock);
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
