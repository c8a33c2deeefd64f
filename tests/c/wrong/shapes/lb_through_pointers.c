// hmc: --cat imm,lkmm,aarch64,power,c11 => violated kind=assertion
// hmc: --cat imm,lkmm,aarch64,power,c11 -- -DFROM_THE_START => violated kind=assertion
// hmc: --cat imm,lkmm,aarch64,power,c11 --cut bytes => violated kind=assertion
// hmc: --cat imm,lkmm,aarch64,power,c11 --cut bytes -- -DFROM_THE_START => violated kind=assertion
// hmc: --cat sc,tso,rc11 => holds
//
// The second thread comes to `x` through a pointer that it reads from memory. `x` is no variable that only those reach who name it: its address is in memory from the start, or was
// written there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
#ifdef FROM_THE_START
static atomic_int *where = &x;
#else
static atomic_int *where;
#endif
static int first, second;

static void *names(void *arg) {
    (void)arg;
    first = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static void *follows(void *arg) {
    (void)arg;
    atomic_int *to = where;
    second = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(to, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t a, b;
#ifndef FROM_THE_START
    where = &x;
#endif
    pthread_create(&a, 0, names, 0);
    pthread_create(&b, 0, follows, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(first && second)); // HERE
    return 0;
}
