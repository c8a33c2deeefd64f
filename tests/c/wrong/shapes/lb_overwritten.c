// hmc: --cat aarch64,riscv,imm,lkmm,arm => violated kind=assertion
// hmc: --symmetry off --cat sc,rc11,power => holds executions=3 blocked=0
//
// A thread writes what it has read, overwrites that with a constant, and reads the location again. What it reads then may be forwarded from the second write, which
// depends on nothing; so the last write may be there before the first read, although that comes before the first write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int first;

static void *again(void *arg) {
    (void)arg;
    int read = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, read, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_store_explicit(&z, atomic_load_explicit(&y, memory_order_relaxed), memory_order_relaxed);
    first = read;
    return 0;
}

static void *back(void *arg) {
    (void)arg;
    atomic_store_explicit(&x, atomic_load_explicit(&z, memory_order_relaxed), memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, again, 0);
    pthread_create(&b, 0, back, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first == 0); // HERE
    return 0;
}
