// hmc: --cat rc11 => holds
// hmc: --cat lkmm => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=liveness
// hmc: --cat sc -- -DWRONG => violated kind=liveness
// hmc: --cat lkmm -- -DWRONG => violated kind=liveness
// hmc: --cat rc11 -- -DWRONG -DPOLLS => violated kind=liveness
// hmc: --cat imm -- -DWRONG -DPOLLS => violated kind=liveness
//
// What must not happen leads into a loop without a way out, as some write it where others abort.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;

static void *worker(void *arg) {
    if (atomic_load(&state) == 1)
#if !defined WRONG
        return arg;
#elif defined POLLS
        for (;;)              // HERE
            (void)atomic_load(&state); // HERE
#else
        for (;;) // HERE
            ;
#endif
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    atomic_store(&state, 1);
    pthread_join(t, 0);
    return 0;
}
