// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
//
// An integer is used as a pointer.
#include <pthread.h>
#include <stdatomic.h>

static int object;
static atomic_ulong shared;

static void *first(void *arg) {
#ifdef WRONG
    atomic_store(&shared, 123456UL);
#else
    atomic_store(&shared, (unsigned long)&object);
#endif
    return arg;
}

static void *second(void *arg) {
    unsigned long p = atomic_load(&shared);
    if (p)
        *(int *)p = 1; // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
