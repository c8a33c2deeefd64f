// hmc: --cat rc11 --properties overflow,assertion => holds
// hmc: --cat sc --properties overflow,assertion => holds
// hmc: --cat rc11 --properties overflow,assertion -- -DWRONG => violated kind=overflow
// hmc: --cat sc --properties overflow,assertion -- -DWRONG => violated kind=overflow
// hmc: --cat lkmm --properties overflow,assertion => holds
// hmc: --cat lkmm --properties overflow,assertion -- -DWRONG => violated kind=overflow
//
// The product does not fit.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int given = 70000;
static int sum;

static void *first(void *arg) {
    int seen = atomic_load(&given);
#ifdef WRONG
    sum = seen * 70000; // HERE
#else
    sum = seen * 3;
#endif
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
