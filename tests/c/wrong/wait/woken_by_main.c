// hmc: --cat sc => violated kind=assertion
// hmc: --cat tso => violated kind=assertion
// hmc: --cat rc11 => violated kind=assertion
// hmc: --cat c11 => violated kind=assertion
//
// The reader has read an old value, and of all that is there when the writer has ended nothing lets it go on. It is not left alone all the same: `main`, which waits for the writer
// only, sets the flag then.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, go_on;

static void *writer(void *arg) {
    atomic_load(&go_on); // So that there is something to see of it before the reader comes to look.
    atomic_store(&x, 1);
    return arg;
}

static void *reader(void *arg) {
    int seen;
    while ((seen = atomic_load(&x)) == 0 && atomic_load(&go_on) == 0)
        ;
    assert(seen == 1); // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    atomic_store(&go_on, 1);
    pthread_join(b, 0);
    return 0;
}
