// hmc: --cat sc => holds executions=3
// hmc: --cat tso => holds executions=3
// hmc: --cat pso => holds executions=3
// hmc: --cat x86tso => holds executions=3
//
// Store buffering with a compare-and-swap between the two accesses of each thread that always fails: where read-modify-writes empty the buffer, it does, too (on
// x86 it is a locked instruction whatever it finds).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z, w;
static int saw_y, saw_x;

static void *left(void *arg) {
    int expected = 5;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_compare_exchange_strong(&z, &expected, 6);
    saw_y = atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}

static void *right(void *arg) {
    int expected = 5;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_compare_exchange_strong(&w, &expected, 6);
    saw_x = atomic_load_explicit(&x, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(saw_y || saw_x);
    return 0;
}
