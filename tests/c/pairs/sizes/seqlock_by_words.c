// hmc: --cat sc,rc11,aarch64,lkmm => holds,holds,holds,holds
// hmc: --cat rc11,aarch64,lkmm -- -DWRONG => violated,violated,violated
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
// hmc: --cat sc,rc11,aarch64,lkmm -- -DONCE => violated,violated,violated,violated
// hmc: --cat sc -- -DONCE => violated kind=assertion
//
// A sequence lock: the writer sets fields of four bytes, the reader copies the structure by words of eight.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic unsigned sequence;
static union {
    _Atomic uint64_t word;
    struct {
        _Atomic uint32_t a, b;
    } field;
} data;

static void *writer(void *arg) {
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
#ifndef WRONG
    atomic_thread_fence(memory_order_release);
#endif
    atomic_store_explicit(&data.field.a, 1, memory_order_relaxed);
    atomic_store_explicit(&data.field.b, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return arg;
}

static void *reader(void *arg) {
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    uint64_t word = atomic_load_explicit(&data.word, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
#ifdef ONCE
    after = before;
#endif
    if (before == after && before % 2 == 0)
        assert((uint32_t)word == (uint32_t)(word >> 32)); // HERE
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
