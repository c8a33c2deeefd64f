// hmc: --cat sc -- -DL=3 => holds
// hmc: --cat rc11 -- -DL=3 => holds
//
// Message passing in a loop: L messages, each waited for. The number of executions is linear in L at most.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef L
#define L 10
#endif

static atomic_int x, y;

static void *sender(void *arg) {
    (void)arg;
    for (int i = 1; i <= L; i++) {
        atomic_store_explicit(&x, i, memory_order_relaxed);
        atomic_store_explicit(&y, i, memory_order_release);
    }
    return 0;
}

static void *receiver(void *arg) {
    (void)arg;
    while (atomic_load_explicit(&y, memory_order_acquire) != L)
        ;
    assert(atomic_load_explicit(&x, memory_order_relaxed) == L);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
