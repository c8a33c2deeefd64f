// hmc: --cat rc11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat imm => holds
// hmc: --cat imm -- -DWRONG => violated kind=memory
// hmc: --cat aarch64 => holds
// hmc: --cat aarch64 -- -DWRONG => holds
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
//
// A reference count that is given back with a relaxed decrement: the last owner's free is not ordered after the other's use.
// Where a branch orders all writes behind it (aarch64), the comparison in front of the decrement does order them; not where it orders those of its own two ways (lkmm).
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct object {
    atomic_int references;
    int value;
} *object;
#ifdef WRONG
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acq_rel
#endif

static void *first(void *arg) {
    if (object->value == 0) // HERE
        atomic_fetch_sub_explicit(&object->references, 0, memory_order_relaxed);
    if (atomic_fetch_sub_explicit(&object->references, 1, ORDER) == 1)
        free(object); // HERE
    return arg;
}

static void *second(void *arg) {
    return first(arg);
}

int main(void) {
    pthread_t a, b;
    object = malloc(sizeof *object);
    atomic_init(&object->references, 2);
    object->value = 1;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
