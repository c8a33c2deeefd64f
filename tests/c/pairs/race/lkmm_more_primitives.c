// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// Locks that keep interrupts away, a count that is taken unless it is 0, and a wait for a value that acquires, or does not.
#include <assert.h>
#include <pthread.h>

static DEFINE_SPINLOCK(lock);
static atomic_t users = ATOMIC_INIT(1);
static int ready, data, shared;

static void add(void) {
    unsigned long flags;
    spin_lock_irqsave(&lock, flags);
    shared++;
    spin_unlock_irqrestore(&lock, flags);
}

static void *writer(void *arg) {
    data = 1; // HERE
    smp_store_release(&ready, 2);
    add();
    return arg;
}

static void *reader(void *arg) {
#ifdef WRONG
    int seen = smp_cond_load_relaxed(&ready, VAL > 1);
#else
    int seen = smp_cond_load_acquire(&ready, VAL > 1);
#endif
    assert(seen == 2);
    assert(data == 1); // HERE
    preempt_disable();
    assert(atomic_inc_not_zero(&users) && atomic_read(&users) == 2);
    preempt_enable();
    spin_lock_irq(&lock);
    shared++;
    spin_unlock_irq(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(shared == 2);
    return 0;
}
