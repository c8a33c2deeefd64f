// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat aarch64 => holds
// hmc: --cat power => holds
// hmc: --cat imm => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat tso -- -DWRONG => violated kind=memory
// hmc: --cat aarch64 -- -DWRONG => violated kind=memory
// hmc: --cat power -- -DWRONG => violated kind=memory
// hmc: --cat imm -- -DWRONG => violated kind=memory
//
// A worker counts itself out in an object that its owner frees: the owner has to wait for that. Both halves of the update come behind the free, or neither does.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *work(void *arg) {
    atomic_fetch_sub((atomic_int *)arg, 1); // HERE
    return 0;
}

int main(void) {
    pthread_t worker;
    atomic_int *left = malloc(sizeof *left);
    atomic_init(left, 1);
    pthread_create(&worker, 0, work, left);
#ifdef WRONG
    free(left); // HERE
    pthread_join(worker, 0);
#else
    pthread_join(worker, 0);
    free(left);
#endif
    return 0;
}
