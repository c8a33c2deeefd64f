// hmc: --cat sc,tso,rc11,c11,aarch64,ra => holds executions=4
// hmc: --cat sc,tso,rc11,c11,aarch64,ra -- -DORDER={half,reader,writer} => holds executions=4
// hmc: --cat sc,tso,rc11,c11,aarch64,ra -- -DORDER={reader,half,writer} => holds executions=4
// hmc: --cat sc,tso,rc11,c11,aarch64,ra -- -DWRONG => violated kind=memory
//
// A word is written as a whole, and one thread reads a half of it. Who reads the whole never sees a half of what is written, also where he stops with an error when he does.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef ORDER
#define ORDER {reader,writer,half}
#endif

static union {
    _Atomic uint64_t whole;
    _Atomic uint32_t half[2];
} word;

static volatile int there;

static void *writer(void *arg) {
    atomic_store_explicit(&word.whole, 0x100000001, memory_order_release);
    return arg;
}

static void *reader(void *arg) {
#ifdef WRONG
    uint64_t low = atomic_load_explicit(&word.half[0], memory_order_acquire);
    uint64_t seen = low | (uint64_t)atomic_load_explicit(&word.half[1], memory_order_acquire) << 32;
#else
    uint64_t seen = atomic_load_explicit(&word.whole, memory_order_acquire);
#endif
    volatile int *at = seen == 0 || seen == 0x100000001 ? &there : 0;
    (void)*at; // HERE
    return arg;
}

static void *half(void *arg) {
    atomic_load_explicit(&word.half[0], memory_order_relaxed);
    return arg;
}

int main(void) {
    void *(*functions[3])(void *) = ORDER;
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(t + i, 0, functions[i], 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
