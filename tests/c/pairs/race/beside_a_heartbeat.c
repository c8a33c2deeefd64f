// hmc: --cat rc11 => bounded
// hmc: --cat rc11 -- -DWRONG => violated kind=race
// hmc: --cat rc11 --unroll 2 -- -DWRONG => violated kind=race
// hmc: --cat c11 --unroll 2 -- -DWRONG => violated kind=race
//
// A race beside a thread that never ends, so that no execution is complete.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int beats;
static int data;

static void *heart(void *arg) {
    for (;;)
        atomic_fetch_add(&beats, 1);
    return arg;
}

static void *writer(void *arg) {
    data = 1; // HERE
    return arg;
}

int main(void) {
    pthread_t h, w;
    pthread_create(&h, 0, heart, 0);
    pthread_create(&w, 0, writer, 0);
#ifdef WRONG
    data = 2; // HERE
    pthread_join(w, 0);
#else
    pthread_join(w, 0);
    data = 2;
#endif
    return 0;
}
