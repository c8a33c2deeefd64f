// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
// hmc: --cat sc -- -DWRONG => violated kind=assertion
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=assertion
//
// The default of a switch that is meant never to be taken: the state machine skips a state.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;

static void *first(void *arg) {
#ifdef WRONG
    atomic_store(&state, 3);
#else
    atomic_store(&state, 1);
#endif
    return arg;
}

static void *second(void *arg) {
    switch (atomic_load(&state)) {
    case 0:
    case 1:
        break;
    default:
        __builtin_unreachable(); // HERE
    }
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
