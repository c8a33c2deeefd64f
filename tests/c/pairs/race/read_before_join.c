// hmc: --cat rc11 => holds
// hmc: --cat c11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
// hmc: --cat c11 -- -DWRONG => violated kind=race
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// main reads the result before it joins the thread that computes it.
#include <pthread.h>

static int result;

static void *compute(void *arg) {
    result = 42; // HERE
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, compute, 0);
#ifdef WRONG
    int early = result; // HERE
    pthread_join(t, 0);
    return early == 41;
#else
    pthread_join(t, 0);
    return result == 41;
#endif
}
