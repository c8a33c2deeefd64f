// hmc: --cat sc,rc11,aarch64,lkmm => holds,holds,holds,holds
// hmc: --cat rc11,aarch64,lkmm -- -DWRONG => violated,violated,violated
// hmc: --cat rc11 -- -DWRONG => violated kind=race
// hmc: --cat sc,rc11,aarch64,lkmm -- -DWHOLE => violated,violated,violated,violated
// hmc: --cat sc -- -DWHOLE => violated kind=assertion
//
// A ticket lock whose word is taken as a whole and released by its lower half (Linux's arch_spinlock_t of old).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef WRONG
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static union {
    _Atomic uint32_t word;
    struct {
        _Atomic uint16_t owner, next;
    } half;
} lock;
static int counter;

static void *thread(void *arg) {
    uint16_t ticket = atomic_fetch_add_explicit(&lock.word, 1 << 16, memory_order_acquire) >> 16;
    while (atomic_load_explicit(&lock.half.owner, memory_order_acquire) != ticket)
        ;
    counter++; // HERE
#ifdef WHOLE
    // A ticket that is taken in between is lost.
    uint32_t word = atomic_load_explicit(&lock.word, memory_order_relaxed);
    atomic_store_explicit(&lock.word, word + 1, memory_order_release);
    return arg;
#endif
    uint16_t owner = atomic_load_explicit(&lock.half.owner, memory_order_relaxed);
    atomic_store_explicit(&lock.half.owner, (uint16_t)(owner + 1), RELEASE);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    assert(atomic_load(&lock.word) == (2 << 16 | 2)); // HERE
    return 0;
}
