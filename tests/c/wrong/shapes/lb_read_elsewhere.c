// hmc: --cat tests/c/wrong/shapes/dependencies_only.cat => violated kind=assertion
// hmc: --cat tests/c/wrong/shapes/dependencies_and_coherence.cat => violated kind=assertion
// hmc: --symmetry off --cat sc,rc11,imm,aarch64,power,riscv,lkmm => holds executions=9 blocked=0
//
// A thread writes what it has read, reads that again, and writes what it reads then. If it reads its own write, the last write comes behind the first
// read. If it reads the write of a third thread instead, that is so where coherence with reads-from is an order, too; where dependencies alone are, the first
// read may read what is made of the last write. So it may where the read in between may read what its thread has overwritten.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int first;

static void *again(void *arg) {
    (void)arg;
    int read = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, read, memory_order_relaxed);
    atomic_store_explicit(&z, atomic_load_explicit(&y, memory_order_relaxed), memory_order_relaxed);
    first = read;
    return 0;
}

static void *back(void *arg) {
    (void)arg;
    atomic_store_explicit(&x, atomic_load_explicit(&z, memory_order_relaxed), memory_order_relaxed);
    return 0;
}

static void *between(void *arg) {
    (void)arg;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, again, 0);
    pthread_create(&b, 0, back, 0);
    pthread_create(&c, 0, between, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(first == 0); // HERE
    return 0;
}
