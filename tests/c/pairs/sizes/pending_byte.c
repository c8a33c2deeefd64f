// hmc: --cat sc,rc11,aarch64,lkmm => holds,holds,holds,holds
// hmc: --cat sc,rc11,aarch64,lkmm -- -DWRONG => violated,violated,violated,violated
// hmc: --cat sc -- -DWRONG => violated kind=assertion
//
// Two threads at a lock like Linux's queued spinlock: one word, of which the lowest byte says that the lock is held, and the next one that somebody is waiting. The word is taken
// as a whole, the owner releases a byte, and who waited takes over both bytes at once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
    _Atomic uint32_t word;
    _Atomic uint16_t locked_pending;
    struct {
        _Atomic uint8_t locked, pending;
    } byte;
} lock;
static int counter;

static void acquire(void) {
    uint32_t free = 0;
    if (atomic_compare_exchange_strong_explicit(&lock.word, &free, 1, memory_order_acquire, memory_order_relaxed))
        return;
    uint32_t old = atomic_fetch_or_explicit(&lock.word, 0x100, memory_order_acquire);
#ifdef WRONG
    // It was released meanwhile, so nobody has it: but the first may have taken it again.
    if (!(old & 0xff)) {
        atomic_store_explicit(&lock.locked_pending, 1, memory_order_relaxed);
        return;
    }
    if (atomic_load_explicit(&lock.byte.pending, memory_order_relaxed)) {
        atomic_store_explicit(&lock.locked_pending, 1, memory_order_relaxed);
        return;
    }
#endif
    (void)old;
    while (atomic_load_explicit(&lock.byte.locked, memory_order_acquire))
        ;
    atomic_store_explicit(&lock.locked_pending, 1, memory_order_relaxed);
}

static void release(void) {
    atomic_store_explicit(&lock.byte.locked, 0, memory_order_release);
}

static void *thread(void *arg) {
    acquire();
    counter++;
    release();
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2); // HERE
    return 0;
}
