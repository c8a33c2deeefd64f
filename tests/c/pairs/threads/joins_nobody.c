// hmc: --cat sc => holds
// hmc: --cat c11 => holds
// hmc: --cat sc -- -DWRONG => violated kind=threads
// hmc: --cat c11 -- -DWRONG => violated kind=threads
//
// No thread is called 0. It was taken for the name of `main`, which a thread may join.
#include <pthread.h>

static pthread_t somebody;

static void *joins(void *arg) {
    (void)arg;
    pthread_join(somebody, 0); // HERE
    return 0;
}

int main(void) {
    pthread_t t;
#ifndef WRONG
    somebody = pthread_self();
#endif
    pthread_create(&t, 0, joins, 0);
    pthread_exit(0);
}
