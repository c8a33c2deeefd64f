// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv => holds,violated,holds,holds,holds,holds,holds kind=assertion
// hmc: --cat aarch64 --mapping aarch64-llsc => violated kind=assertion
// hmc: --cat aarch64 --mapping aarch64-llsc -- -DFENCE => holds
// hmc: --cat aarch64 -- -DFENCE => holds
//
// C11 does not promise that a sequentially consistent read-modify-write orders relaxed accesses around it, although it does on most processors, and as
// a single instruction of Armv8.1: in a loop of LDAXR and STLXR, the read behind overtakes the store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, own[2], seen[2];

#ifdef FENCE
#define BETWEEN(i) atomic_thread_fence(memory_order_seq_cst)
#else
#define BETWEEN(i) atomic_fetch_add(&own[i], 1)
#endif

static void *one(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    BETWEEN(0);
    atomic_store_explicit(&seen[0], atomic_load_explicit(&y, memory_order_relaxed), memory_order_relaxed);
    return arg;
}

static void *other(void *arg) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    BETWEEN(1);
    atomic_store_explicit(&seen[1], atomic_load_explicit(&x, memory_order_relaxed), memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen[0] || seen[1]); // HERE
    return 0;
}
