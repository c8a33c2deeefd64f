// hmc: --cat imm => holds executions=3 notes=0
// hmc: --cat c11 => violated kind=assertion
//
// What a compare-and-swap compares with depends on what was read, though it is always 0: a dependency under imm (casdep), so the thread cannot read what
// comes of it. C11 knows no dependencies.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int first, second;

static void *swaps(void *arg) {
    (void)arg;
    first = atomic_load_explicit(&x, memory_order_relaxed);
    int expected = first >> 1;
    atomic_compare_exchange_strong_explicit(&y, &expected, 1, memory_order_relaxed, memory_order_relaxed);
    return 0;
}

static void *copies(void *arg) {
    (void)arg;
    second = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, second, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, swaps, 0);
    pthread_create(&b, 0, copies, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(first && second)); // HERE
    return 0;
}
