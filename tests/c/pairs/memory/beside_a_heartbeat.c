// hmc: --cat rc11 --unroll 2 => bounded
// hmc: --cat sc --unroll 2 => bounded
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat lkmm --unroll 2 -- -DWRONG => violated kind=memory
//
// Memory is freed while another thread may write to it, beside a thread that never ends.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int beats;
static int *block;

static void *heart(void *arg) {
    for (;;)
        atomic_fetch_add(&beats, 1);
    return arg;
}

static void *writer(void *arg) {
    *block = 1; // HERE
    return arg;
}

int main(void) {
    pthread_t h, w;
    block = malloc(sizeof *block);
    if (!block)
        return 0;
    pthread_create(&h, 0, heart, 0);
    pthread_create(&w, 0, writer, 0);
#ifdef WRONG
    free(block); // HERE
    pthread_join(w, 0);
#else
    pthread_join(w, 0);
    free(block);
#endif
    return 0;
}
