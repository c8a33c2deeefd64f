// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
// hmc: --cat sc -- -DWRONG => violated kind=assertion
// hmc: --cat rc11 -- -DWRONG -DEXIT => violated kind=assertion
//
// The destructor of a thread's data finds that the data was left in the wrong state.
#include <assert.h>
#include <pthread.h>

struct data {
    int open;
};

static pthread_key_t key;

static void destroy(void *value) {
    struct data *data = value;
    assert(!data->open); // HERE
}

static void *work(void *arg) {
    struct data *data = arg;
    pthread_setspecific(key, data);
    data->open = 1;
#ifndef WRONG
    data->open = 0;
#endif
#ifdef EXIT
    pthread_exit(0);
#endif
    return 0;
}

int main(void) {
    static struct data of_a, of_b;
    pthread_t a, b;
    pthread_key_create(&key, destroy);
    pthread_create(&a, 0, work, &of_a);
    pthread_create(&b, 0, work, &of_b);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
