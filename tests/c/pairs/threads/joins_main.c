// hmc: --cat sc => holds executions=1
// hmc: --cat c11 => holds executions=1
// hmc: --cat lkmm => holds executions=1
// hmc: --cat c11 --engine enumerate => holds executions=1
// hmc: --cat sc -- -DRETURNS => violated kind=liveness
// hmc: --cat c11 -- -DRETURNS => violated kind=liveness
// hmc: --cat c11 -- -DWRONG => violated kind=race
//
// A thread joins `main`, which may be done if that ends by pthread_exit: what `main` wrote before comes before what follows the join. It was said to be no thread that can be joined.
#include <assert.h>
#include <pthread.h>

static pthread_t first;
static int shared;

static void *joins(void *arg) {
#ifndef WRONG
    pthread_join(first, 0); // HERE
    assert(shared == 1);
#endif
    shared++; // HERE
    return arg;
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, 0, joins, 0);
    shared = 1; // HERE
#ifdef RETURNS
    pthread_join(thread, 0); // HERE
#endif
    pthread_exit(0);
}
