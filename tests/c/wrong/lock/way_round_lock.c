// hmc: --cat sc => violated kind=assertion
// hmc: --cat rc11 => violated kind=assertion
// hmc: --cat c11 => violated kind=assertion
// hmc: --cat imm => violated kind=assertion
// hmc: --cat aarch64 => violated kind=assertion
// hmc: --cat power => violated kind=assertion
//
// A thread comes to a write by way of a lock, or round it. The write that it comes to by the lock needs that the lock was taken, and why; the other one
// does not, so it is another write: that `first` may read it does not depend on what `second` could have read instead.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seen_x, seen_y;

static void *first(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    seen_y = atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}

static void *second(void *arg) {
    int x_is_set = atomic_load_explicit(&x, memory_order_relaxed);
    if (x_is_set)
        pthread_mutex_lock(&lock);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    if (x_is_set)
        pthread_mutex_unlock(&lock);
    return (void *)(long)x_is_set;
}

int main(void) {
    pthread_t threads[2];
    void *result;
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[1], &result);
    seen_x = result != 0;
    pthread_join(threads[0], 0);
    assert(seen_x || !seen_y); // HERE
    return 0;
}
