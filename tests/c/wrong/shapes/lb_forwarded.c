// hmc: --cat sc,tso,rc11,power -- => holds
// hmc: --cat imm,aarch64,armv7,riscv -- => violated
// hmc: --cat aarch64,armv7,power,riscv -- -DDATA => holds
//
// A thread reads x, writes it, reads it again and writes to y what it has read; another one answers to that by writing to x what the first read reads. What is forwarded within a
// thread orders nothing, so the two reads of x may happen in any order, unless what is forwarded depends on the first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef DATA
#define FROM(value) (2 + (value))
#else
#define FROM(value) 2
#endif

static atomic_int x, y;

static void *first(void *arg) {
    int before = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&x, FROM(before), memory_order_relaxed);
    int after = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, after, memory_order_relaxed);
    assert(before != 1);
    return arg;
}

static void *second(void *arg) {
    if (atomic_load_explicit(&y, memory_order_relaxed))
        atomic_store_explicit(&x, 1, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
