// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
//
// A thread's data is freed by its destructor when the thread ends, and read behind the join.
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int *shared;
static int result;

static void *work(void *arg) {
    int *data = malloc(sizeof *data);
    *data = 1;
    pthread_setspecific(key, data);
    shared = data;
    result = *data;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_key_create(&key, free);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
#ifdef WRONG
    return *shared != 1; // HERE
#else
    return result != 1;
#endif
}
