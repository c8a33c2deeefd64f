// hmc: --cat rc11 => holds executions=8
// hmc: --cat sc => holds executions=8
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
// hmc: --cat sc -- -DWRONG => violated kind=assertion
// hmc: --cat lkmm => holds executions=8
// hmc: --cat lkmm -- -DWRONG => violated kind=assertion
//
// Three rounds, each of which creates two threads that count, by a function, and joins them: two orders a round.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *increase(void *arg) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return arg;
}

static void create(pthread_t *thread) {
    pthread_create(thread, 0, increase, 0);
}

int main(void) {
    for (int round = 0; round < 3; round++) {
        pthread_t threads[2];
        create(&threads[0]);
        create(&threads[1]);
        pthread_join(threads[0], 0);
        pthread_join(threads[1], 0);
        int done = atomic_load_explicit(&count, memory_order_relaxed);
#ifdef WRONG
        assert(done != 6); // HERE
#else
        assert(done == 2 * (round + 1));
#endif
    }
    return 0;
}
