// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat power => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat power -- -DWRONG => violated kind=memory
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
//
// An index that another thread computes is one too large.
#include <pthread.h>
#include <stdatomic.h>

static int array[4];
static atomic_int index;

static void *first(void *arg) {
#ifdef WRONG
    atomic_store(&index, 4);
#else
    atomic_store(&index, 3);
#endif
    return arg;
}

static void *second(void *arg) {
    array[atomic_load(&index)] = 1; // HERE
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
