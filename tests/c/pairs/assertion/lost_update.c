// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat aarch64 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
// hmc: --cat sc -- -DWRONG => violated kind=assertion
// hmc: --cat aarch64 -- -DWRONG => violated kind=assertion
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=assertion
//
// Two threads count; a load and a store are no atomic increment.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void add(void) {
#ifdef WRONG
    atomic_store(&count, atomic_load(&count) + 1);
#else
    atomic_fetch_add(&count, 1);
#endif
}

static void *first(void *arg) {
    add();
    return arg;
}

static void *second(void *arg) {
    add();
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2); // HERE
    return 0;
}
