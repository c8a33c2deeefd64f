// hmc: --cat sc,mips -- -DORDER=memory_order_seq_cst => holds
// hmc: --cat sc,mips -- -DORDER=memory_order_relaxed => holds,violated
//
// Store buffering: MIPS, read as partial store order, delays a store behind a later load of the same thread unless a SYNC is between them, as there is
// for sequentially consistent accesses. (Their orders got lost on the way.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *left(void *arg) {
    atomic_store_explicit(&x, 1, ORDER);
    a = atomic_load_explicit(&y, ORDER);
    return arg;
}

static void *right(void *arg) {
    atomic_store_explicit(&y, 1, ORDER);
    b = atomic_load_explicit(&x, ORDER);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, left, 0);
    pthread_create(&u, 0, right, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(a || b);
    return 0;
}
