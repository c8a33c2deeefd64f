// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=exit-code
// hmc: --cat sc -- -DWRONG => violated kind=exit-code
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=exit-code
//
// main ends with another exit code than 0.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *first(void *arg) {
    atomic_fetch_add(&done, 1);
    return arg;
}

static void *second(void *arg) {
#ifdef WRONG
    int seen = atomic_load(&done);
    atomic_store(&done, seen + 1);
#else
    atomic_fetch_add(&done, 1);
#endif
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return atomic_load(&done) == 2 ? 0 : 1; // HERE
}
