// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat aarch64 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat aarch64 -- -DWRONG => violated kind=memory
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
// hmc: --cat imm => holds
// hmc: --cat imm -- -DWRONG => violated kind=memory
//
// Both threads free the same object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *shared;
static atomic_int taken;

static void *first(void *arg) {
#ifdef WRONG
    free(shared); // HERE
#else
    if (atomic_fetch_add(&taken, 1) == 0)
        free(shared);
#endif
    return arg;
}

static void *second(void *arg) {
    return first(arg);
}

int main(void) {
    pthread_t a, b;
    shared = malloc(sizeof *shared);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
