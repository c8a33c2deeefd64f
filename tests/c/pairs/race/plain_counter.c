// hmc: --cat rc11 => holds
// hmc: --cat c11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
// hmc: --cat c11 -- -DWRONG => violated kind=race
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// Two threads add to a plain variable.
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
static int count;
#else
static atomic_int count;
#endif

static void *first(void *arg) {
    count++; // HERE
    return arg;
}

static void *second(void *arg) {
    count++; // HERE
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
