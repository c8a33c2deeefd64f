// hmc: --cat sc -- => holds executions=222
// hmc: --cat rc11 -- => holds executions=222
// hmc: --symmetry off --cat imm,riscv,aarch64,arm,armv7,power,ppc => holds executions=222 blocked=0
//
// Clients of the reader-writer spin lock that Linux used on x86: T threads read under the lock and then write under it. A try that has to be
// given back is an execution of its own here; of the 222, 14 are without one.
// Documented in the kernel's arch/x86/include/asm/rwlock.h of version 2.6; written here from that description. The client is
// that of B. Norris, B. Demsky, "CDSChecker: checking concurrent data structures written with C/C++ atomics", OOPSLA 2013.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef T
#define T 2
#endif
#define BIAS 0x100000

static atomic_int count = BIAS;
static int data;

static void give(int share, memory_order order) { atomic_fetch_add_explicit(&count, share, order); }

static void take(int share, int least) {
    while (atomic_fetch_sub_explicit(&count, share, memory_order_acquire) < least) {
        give(share, memory_order_relaxed);
        while (atomic_load_explicit(&count, memory_order_relaxed) < least)
            ;
    }
}

static void *client(void *arg) {
    take(1, 1);
    int seen = data;
    give(1, memory_order_release);
    take(BIAS, BIAS);
    data = seen + 1;
    assert(data == seen + 1);
    give(BIAS, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t t[T];
    for (int i = 0; i < T; i++)
        pthread_create(&t[i], 0, client, 0);
    for (int i = 0; i < T; i++)
        pthread_join(t[i], 0);
    return 0;
}
