// hmc: --cat rc11 => holds
// hmc: --cat c11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
// hmc: --cat c11 -- -DWRONG => violated kind=race
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// Each thread has a slot of its own, unless the index is wrong.
#include <pthread.h>

static int slot[2];
#ifdef WRONG
#define MINE(n) 0
#else
#define MINE(n) (n)
#endif

static void *first(void *arg) {
    slot[MINE(0)] = 1; // HERE
    return arg;
}

static void *second(void *arg) {
    slot[MINE(1)] = 2; // HERE
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
