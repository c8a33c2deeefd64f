// hmc: --cat rc11 => holds
// hmc: --cat c11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
// hmc: --cat c11 -- -DWRONG => violated kind=race
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// Neighbouring members of a structure may be written by different threads, the same member may not.
#include <pthread.h>

static struct {
    int a, b;
} pair;

static void *first(void *arg) {
    pair.a = 1; // HERE
    return arg;
}

static void *second(void *arg) {
#ifdef WRONG
    pair.a = 2; // HERE
#else
    pair.b = 2;
#endif
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
