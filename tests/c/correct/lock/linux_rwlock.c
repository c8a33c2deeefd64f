// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
// hmc: --cat c11 => holds executions=6 notes=1
// hmc: --cat rc11 -- -DR=2 => holds
// hmc: --symmetry off --cat sc,rc11,imm,riscv,aarch64,arm,armv7,power,ppc -- -DR=2 => holds executions=662 blocked=0
//
// The reader-writer spin lock that Linux used on x86: a count that a writer takes whole and a reader by one.
// Documented in the kernel's arch/x86/include/asm/rwlock.h of version 2.6; written here from that description.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef WRITE_RELEASE
#define WRITE_RELEASE memory_order_release
#endif
#ifndef R
#define R 1
#endif
#ifndef W
#define W 1
#endif
#define BIAS 0x100000

static atomic_int count = BIAS;
static int a, b;

static void read_lock(void) {
    while (atomic_fetch_sub_explicit(&count, 1, memory_order_acquire) <= 0) {
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
        while (atomic_load_explicit(&count, memory_order_relaxed) <= 0)
            ;
    }
}

static void read_unlock(void) { atomic_fetch_add_explicit(&count, 1, memory_order_release); }

static void write_lock(void) {
    while (atomic_fetch_sub_explicit(&count, BIAS, memory_order_acquire) != BIAS) {
        atomic_fetch_add_explicit(&count, BIAS, memory_order_relaxed);
        while (atomic_load_explicit(&count, memory_order_relaxed) != BIAS)
            ;
    }
}

static void write_unlock(void) { atomic_fetch_add_explicit(&count, BIAS, WRITE_RELEASE); }

static void *reader(void *arg) {
    (void)arg;
    read_lock();
    assert(a == b);
    read_unlock();
    return 0;
}

static void *writer(void *arg) {
    (void)arg;
    write_lock();
    a++;
    b++;
    write_unlock();
    return 0;
}

int main(void) {
    pthread_t r[R], w[W];
    for (int i = 0; i < W; i++)
        pthread_create(&w[i], 0, writer, 0);
    for (int i = 0; i < R; i++)
        pthread_create(&r[i], 0, reader, 0);
    for (int i = 0; i < W; i++)
        pthread_join(w[i], 0);
    for (int i = 0; i < R; i++)
        pthread_join(r[i], 0);
    assert(a == W && b == W);
    return 0;
}
