// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
// hmc: --cat lkmm => holds
// hmc: --cat sc -- -DLEAVES => unsupported
//
// A thread that calls `exit` runs what `main` has registered, `_Exit` runs nothing. Where `main` leaves the program to its threads, it is not known which
// of them runs it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void bye(void) {
    assert(x == 1);
    x = 2;
    _Exit(0);
}

static void *f(void *arg) {
    x = 1;
    exit(0);
    return arg;
}

int main(void) {
    pthread_t t;
    atexit(bye);
    pthread_create(&t, 0, f, 0);
#ifdef LEAVES
    pthread_exit(0);
#endif
    pthread_join(t, 0);
    assert(0);
}
