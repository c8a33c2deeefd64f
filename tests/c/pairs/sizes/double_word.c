// hmc: --cat rc11,sc,tso,aarch64,power,riscv,imm,c11,lkmm => holds,holds,holds,holds,holds,holds,holds,holds,holds
// hmc: --cat rc11,sc,aarch64 -- -DWRONG => violated,violated,violated
//
// A load of sixteen bytes sees a store of sixteen bytes as a whole; two loads of its halves may see one half each.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

typedef unsigned __int128 u128;

static union {
    u128 whole;
    uint64_t half[2];
} x __attribute__((aligned(16)));

static void *writer(void *arg) {
    __atomic_store_n(&x.whole, ((u128)1 << 64) | 1, __ATOMIC_SEQ_CST);
    return arg;
}

static void *reader(void *arg) {
#ifdef WRONG
    uint64_t high = __atomic_load_n(&x.half[1], __ATOMIC_SEQ_CST), low = __atomic_load_n(&x.half[0], __ATOMIC_SEQ_CST);
#else
    u128 value = __atomic_load_n(&x.whole, __ATOMIC_SEQ_CST);
    uint64_t low = (uint64_t)value, high = (uint64_t)(value >> 64);
#endif
    assert(low == high); // HERE
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
