// hmc: --cat sc => holds executions=24
// hmc: --cat rc11 => holds executions=24
// hmc: --cat imm => holds executions=24
// hmc: --cat aarch64 => holds executions=24
//
// Threads that create two threads each, three deep: the four at the ends increment a counter, in any of 4! orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int count;

static void *node(void *arg) {
    intptr_t depth = (intptr_t)arg;
    if (depth == 0) {
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
        return (void *)1;
    }
    pthread_t left, right;
    void *one, *two;
    pthread_create(&left, 0, node, (void *)(depth - 1));
    pthread_create(&right, 0, node, (void *)(depth - 1));
    pthread_join(left, &one);
    pthread_join(right, &two);
    return (void *)((intptr_t)one + (intptr_t)two);
}

int main(void) {
    pthread_t root;
    void *ends;
    pthread_create(&root, 0, node, (void *)2);
    pthread_join(root, &ends);
    assert((intptr_t)ends == 4 && atomic_load_explicit(&count, memory_order_relaxed) == 4);
    return 0;
}
