// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv => holds
// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv -- -DWRONG => holds,violated,holds,violated,violated,violated,violated kind=assertion
//
// Message passing with accesses that order nothing: right on x86, wrong on every processor that lets writes or reads overtake.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define RELEASE memory_order_relaxed
#define ACQUIRE memory_order_relaxed
#else
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#endif

static atomic_int data, ready;

static void *sender(void *arg) {
    atomic_store_explicit(&data, 42, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, RELEASE);
    return arg;
}

static void *receiver(void *arg) {
    while (!atomic_load_explicit(&ready, ACQUIRE))
        ;
    int seen = atomic_load_explicit(&data, memory_order_relaxed);
    assert(seen == 42); // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
