// hmc: --cat lkmm => holds executions=2
// hmc: --cat rc11,c11,imm,aarch64,power => holds executions=2
//
// The thread that finds the call done already sees what it did: its compare-and-swap fails, and acquires.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void set(void) {
    value = 42;
}

static void *run(void *arg) {
    pthread_once(&once, set);
    assert(value == 42);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
