// Publication as in RCU: an object is made, then its address is stored; readers see all of the object or none.
// P. E. McKenney, "Is parallel programming hard, and, if so, what can you do about it?", section 9.5: `rcu_assign_pointer` is a
// release store. C11 has no orders of dependencies that compilers keep, so the reader's load is acquire (P0190R4).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    int a, b;
};

static _Atomic(struct config *) current;

static void *updater(void *arg) {
    (void)arg;
    struct config *new = malloc(sizeof *new);
    new->a = 1;
    new->b = 1;
    atomic_store_explicit(&current, new, memory_order_release);
    return 0;
}

static void *reader(void *arg) {
    (void)arg;
    struct config *seen = atomic_load_explicit(&current, memory_order_acquire);
    if (seen)
        assert(seen->a == 1 && seen->b == 1);
    return 0;
}

int main(void) {
    pthread_t u, r;
    pthread_create(&u, 0, updater, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(u, 0);
    pthread_join(r, 0);
    free(atomic_load_explicit(&current, memory_order_relaxed));
    return 0;
}
