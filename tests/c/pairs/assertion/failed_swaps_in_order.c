// hmc: --cat rc11,lkmm => holds executions=15
// hmc: --cat rc11,lkmm -- -DWRONG => violated kind=assertion
//
// Two threads look at two variables, in turn, by compare-and-swaps that fail: sequentially consistent ones see the writes in one order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define ORDERS memory_order_acq_rel, memory_order_acquire
#else
#define ORDERS memory_order_seq_cst, memory_order_seq_cst
#endif

static atomic_int x, y;
static int seen[4];

static int look(atomic_int *place) {
    int expected = 5;
    atomic_compare_exchange_strong_explicit(place, &expected, 2, ORDERS);
    return expected;
}

static void *write_x(void *arg) {
    atomic_store(&x, 1);
    return arg;
}

static void *write_y(void *arg) {
    atomic_store(&y, 1);
    return arg;
}

static void *first(void *arg) {
    seen[0] = look(&x);
    seen[1] = look(&y);
    return arg;
}

static void *second(void *arg) {
    seen[2] = look(&y);
    seen[3] = look(&x);
    return arg;
}

int main(void) {
    void *(*const run[])(void *) = {write_x, write_y, first, second};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, run[i], 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    assert(seen[0] != 1 || seen[1] != 0 || seen[2] != 1 || seen[3] != 0); // HERE
    return 0;
}
