// hmc: --cat sc => holds executions=2
// hmc: --cat rc11 => holds executions=2
// hmc: --cat imm => holds executions=2 notes=0
// hmc: --cat c11 => holds executions=2 notes=0
// hmc: --cat lkmm => holds executions=2 notes=0
//
// A thread ends the program while `main` returns: what is registered for the end runs once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int runs;

static void bye(void) { assert(atomic_fetch_add(&runs, 1) == 0); }

static void *f(void *arg) {
    exit(0);
    return arg;
}

int main(void) {
    pthread_t t;
    atexit(bye);
    pthread_create(&t, 0, f, 0);
    pthread_detach(t);
    return 0;
}
