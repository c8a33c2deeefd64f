// hmc: --cat rc11 => holds
//
// Harnesses for GenMC find its header.
#include <assert.h>
#include <genmc.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer(void *arg) {
    atomic_store(&x, 1);
    return arg;
}

int main(void) {
    __VERIFIER_thread_t t = __VERIFIER_spawn(writer, NULL);
    int seen = atomic_load(&x);
    __VERIFIER_assume(seen);
    assert(seen == 1);
    __VERIFIER_join(t);
    return 0;
}
