// hmc: --cat lkmm => violated kind=assertion
// hmc: --cat lkmm -- -DSUCCEEDS => holds
//
// Under the kernel's model an update that fails orders nothing, whatever else is read between it and the write. One that succeeds acquires.
#include <assert.h>
#include <pthread.h>

static int x, y, other;
static int first, second;

#ifdef SUCCEEDS
#define EXPECTED 1
#else
#define EXPECTED 5
#endif

static void *updates(void *arg) {
    (void)arg;
    first = cmpxchg_acquire(&x, EXPECTED, 2);
    (void)READ_ONCE(other);
    WRITE_ONCE(y, 1);
    return 0;
}

static void *answers(void *arg) {
    (void)arg;
    second = READ_ONCE(y);
    if (second)
        WRITE_ONCE(x, 1);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, updates, 0);
    pthread_create(&b, 0, answers, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(first == 1 && second == 1)); // HERE
    return 0;
}
