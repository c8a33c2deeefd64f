// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
// hmc: --cat sc -- -DWRONG => violated kind=assertion
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=assertion
//
// Whoever draws the lower ticket goes in first; drawing must be atomic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticket, inside;

static int draw(void) {
#ifdef WRONG
    int t = atomic_load(&ticket);
    atomic_store(&ticket, t + 1);
    return t;
#else
    return atomic_fetch_add(&ticket, 1);
#endif
}

static void *first(void *arg) {
    int t = draw();
    int before = atomic_fetch_or(&inside, 1 << t);
    assert(!(before & (1 << t))); // HERE
    return arg;
}

static void *second(void *arg) {
    return first(arg);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
