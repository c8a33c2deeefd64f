// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=uninitialised
// hmc: --cat sc -- -DWRONG => violated kind=uninitialised
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=uninitialised
//
// A local variable that a helper was to fill in.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int source;

static void fill(int *out) {
    int seen = atomic_load(&source);
#ifdef WRONG
    if (seen)
        *out = seen;
#else
    *out = seen;
#endif
}

static void *first(void *arg) {
    atomic_store(&source, 1);
    return arg;
}

static void *second(void *arg) {
    int got;
    fill(&got);
    if (got) // HERE
        return 0;
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
