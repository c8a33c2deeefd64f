// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=liveness
// hmc: --cat sc -- -DWRONG => violated kind=liveness
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=liveness
//
// When all threads have ended, `main` waits for what one of them wrote, or did not.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *work(void *arg) {
#ifndef WRONG
    atomic_store_explicit(&done, 1, memory_order_release);
#endif
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    while (atomic_load_explicit(&done, memory_order_acquire) == 0) // HERE
        ;
    return 0;
}
