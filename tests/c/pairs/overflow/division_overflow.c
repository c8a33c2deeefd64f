// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=arithmetic
// hmc: --cat sc -- -DWRONG => violated kind=arithmetic
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=arithmetic
//
// The smallest number divided by -1.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 1;
static int result;

static void *first(void *arg) {
#ifdef WRONG
    atomic_store(&divisor, -1);
#endif
    return arg;
}

static void *second(void *arg) {
    result = (-2147483647 - 1) / atomic_load(&divisor); // HERE
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
