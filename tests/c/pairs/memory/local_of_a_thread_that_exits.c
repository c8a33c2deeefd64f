// hmc: --cat sc => holds
// hmc: --cat c11 => holds
// hmc: --cat lkmm => holds
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat c11 -- -DWRONG => violated kind=memory
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
//
// The local variables of a thread end with it, also when that is by pthread_exit: they were taken to last for ever.
#include <pthread.h>

static void *work(void *arg) {
    int own = 4;
    *(int **)arg = &own;
#ifdef WRONG
    pthread_exit(&own);
#else
    static int lasting = 4;
    pthread_exit(&lasting);
#endif
}

int main(void) {
    pthread_t t;
    int *unused;
    void *result;
    pthread_create(&t, 0, work, &unused);
    pthread_join(t, &result);
    return *(int *)result - 4; // HERE
}
