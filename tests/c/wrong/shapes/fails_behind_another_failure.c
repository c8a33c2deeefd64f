// hmc: --cat sc --keep-going => violated kind=assertion
// hmc: --cat rc11 --keep-going => violated kind=assertion
//
// The thread's assertion can fail only when `main` has gone past its own, which always fails, and `main` joins the thread: it is the only one that is wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread(void *arg) {
    if (atomic_load(&x) != 0) {
        int seen = atomic_load(&y);
        assert(seen == 2);
        atomic_store(&y, 1);
    }
    return arg;
}

static void *another(void *arg) {
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, thread, 0);
    pthread_create(&u, 0, another, 0);
    assert(atomic_load(&x) < 0); // HERE
    atomic_store(&x, 1);
    pthread_join(t, 0);
    return 0;
}
