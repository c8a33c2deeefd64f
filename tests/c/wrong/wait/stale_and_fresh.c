// hmc: --cat sc => violated kind=assertion
// hmc: --cat tso => violated kind=assertion
// hmc: --cat rc11 => violated kind=assertion
// hmc: --cat imm => violated kind=assertion
//
// A loop that looks at two variables may leave with an old value of the first and a new one of the second. The new one comes from a
// thread that itself goes on only with an old value, so the first thread is already waiting, with its old value, when it is written:
// an exploration that gives up a wait for one stale read alone does not find the failure.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_int a, b, c;
static int last_a;

static void *changes(void *arg) {
    a = 1;
    c = 1;
    a = 0;
    return arg;
}

static void *waits(void *arg) {
    int seen;
    while ((seen = a) == 1 && b == 0)
        ;
    last_a = seen;
    return arg;
}

static void *releases(void *arg) {
    __VERIFIER_assume(c == 0);
    b = 1;
    return arg;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, changes, 0);
    pthread_create(&t[1], 0, waits, 0);
    pthread_create(&t[2], 0, releases, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(last_a == 0); // HERE
    return 0;
}
