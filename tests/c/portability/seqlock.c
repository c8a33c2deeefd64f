// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv => holds
// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv -- -DWRONG => holds,violated,holds,violated,violated,violated,violated kind=assertion
//
// A sequence lock whose reader has no barrier between the data and its second look at the sequence number: the second look may come first.
// H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define READ_BARRIER() ((void)0)
#else
#define READ_BARRIER() atomic_thread_fence(memory_order_acquire)
#endif

static atomic_uint sequence;
static atomic_int low, high;

static void *writer(void *arg) {
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&low, 1, memory_order_relaxed);
    atomic_store_explicit(&high, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return arg;
}

static void *reader(void *arg) {
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    int l = atomic_load_explicit(&low, memory_order_relaxed);
    int h = atomic_load_explicit(&high, memory_order_relaxed);
    READ_BARRIER();
    unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before % 2 == 0 && before == after)
        assert(l == h); // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
