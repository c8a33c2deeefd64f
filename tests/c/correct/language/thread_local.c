// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
// hmc: --cat aarch64 => holds
//
// The address of a thread-local variable is that of the thread's own instance, also when another thread gets it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local atomic_int mine[2];
static _Atomic(atomic_int *) shared, of_main;

static void *first(void *arg) {
    int i = arg ? 1 : 0;
    atomic_store(&mine[i], 1);
    atomic_store(&shared, &mine[i]);
    return arg;
}

static void *second(void *arg) {
    atomic_int *other = atomic_load(&shared);
    if (other) {
        assert(other != &mine[1]);
        assert(atomic_load(other) == 1);
    }
    assert(atomic_load(&mine[1]) == 0);
    assert(atomic_load(atomic_load(&of_main)) == 5);
    return arg;
}

int main(void) {
    pthread_t a, b;
    mine[0] = 5;
    atomic_store(&of_main, &mine[0]);
    pthread_create(&a, 0, first, &a);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(mine[0] == 5 && mine[1] == 0);
    return 0;
}
