// hmc: --cat sc -- => holds executions=1
// hmc: --cat rc11 -- => holds executions=1
// hmc: --cat c11 -- => holds executions=1
// hmc: --cat imm -- => holds executions=1
//
// Each thread has its own `mine`, at an address of its own: nobody reads what another thread has written there.
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local atomic_int mine;

static void *run(void *arg) {
    atomic_store_explicit(&mine, 1, memory_order_relaxed);
    return arg;
}

static void *look(void *arg) {
    (void)atomic_load_explicit(&mine, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
