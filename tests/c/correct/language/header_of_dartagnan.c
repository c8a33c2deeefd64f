// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
//
// Harnesses for Dartagnan find its header, and its hints mean nothing.
#include <dat3m.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *writer(void *arg) {
    data = 1;
    atomic_store(&flag, 1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    __VERIFIER_loop_bound(2);
    await_while (atomic_load(&flag) == 0)
        ;
    __VERIFIER_assert(data == 1 && __VERIFIER_tid() == 0);
    pthread_join(t, 0);
    return 0;
}
