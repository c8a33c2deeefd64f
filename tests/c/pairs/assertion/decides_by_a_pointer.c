// hmc: --cat c11 => holds executions=1 notes=0
// hmc: --cat lkmm => holds executions=1 notes=0
// hmc: --cat imm => holds executions=1 notes=0
// hmc: --cat c11 --dependencies syntactic -- -DWRONG => violated kind=assertion
// hmc: --cat lkmm --dependencies syntactic -- -DWRONG => violated kind=assertion
// hmc: --cat rc11 -- -DWRONG => holds executions=1
// hmc: --cat imm -- -DWRONG => holds executions=1 notes=0
//
// What each thread writes it writes only if it calls what the other one writes because of it. That a function is called is no dependency that a model sees, but imm, where it is a
// branch that never ends. (clang would leave them out if they were static.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define READ memory_order_relaxed
#define WRITE memory_order_relaxed
#else
#define READ memory_order_acquire
#define WRITE memory_order_release
#endif

typedef void function(void);

static void nothing(void) {}
function first, second;
static _Atomic(function *) x = nothing, y = nothing;

void first(void) {
    atomic_store_explicit(&y, second, WRITE);
}

void second(void) {
    atomic_store_explicit(&x, first, WRITE);
}

static void *one(void *arg) {
    atomic_load_explicit(&x, READ)();
    return arg;
}

static void *other(void *arg) {
    atomic_load_explicit(&y, READ)();
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == nothing || y == nothing); // HERE
    return 0;
}
