// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat power => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat power -- -DWRONG => violated kind=memory
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
//
// The address of a local variable outlives its function.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) shared;

static void publish(void) {
#ifdef WRONG
    int local = 1;
#else
    static int local = 1;
#endif
    atomic_store(&shared, &local);
}

static void *first(void *arg) {
    publish();
    int *p = atomic_load(&shared);
    *p = 2; // HERE
    return arg;
}

static void *second(void *arg) {
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
