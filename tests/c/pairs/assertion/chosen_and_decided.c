// hmc: --cat c11 --dependencies syntactic => holds executions=10 notes=1
// hmc: --cat lkmm --dependencies syntactic => holds executions=10 notes=1
// hmc: --cat c11 --dependencies syntactic -- -DWRONG => violated kind=assertion
// hmc: --cat lkmm --dependencies syntactic -- -DWRONG => violated kind=assertion
//
// Both threads write a 1 because they read the other's, through no dependency that the models see: an execution that enumeration finds, once for each value that `main` chooses before it creates
// them. The second, which differs from the first in nothing that the threads do, was taken for the first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

_Bool __VERIFIER_nondet_bool(void);

static atomic_int x, y;
static bool seen;

static void *one(void *arg) {
    int set = 0;
    if (atomic_load_explicit(&x, memory_order_relaxed))
        set = 1;
    seen = set;
    atomic_store_explicit(&y, set, memory_order_relaxed);
    return arg;
}

static void *other(void *arg) {
    int set = 0;
    if (atomic_load_explicit(&y, memory_order_relaxed))
        set = 1;
    atomic_store_explicit(&x, set, memory_order_relaxed);
    return arg;
}

int main(void) {
    bool chosen = __VERIFIER_nondet_bool();
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifdef WRONG
    assert(!seen || !chosen); // HERE
#endif
    return chosen && 0;
}
