// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
//
// A write to constant memory.
#include <pthread.h>

static const int limits[2] = {1, 2};

static void *first(void *arg) {
#ifdef WRONG
    *(int *)&limits[0] = 3; // HERE
#endif
    return arg;
}

static void *second(void *arg) {
    return limits[1] ? arg : 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
