// hmc: --cat c11 --dependencies syntactic => holds executions=5 notes=1
// hmc: --cat lkmm --dependencies syntactic => holds executions=5 notes=1
// hmc: --cat c11 --engine enumerate --dependencies syntactic => holds executions=5 notes=1
// hmc: --cat sc --engine enumerate => holds executions=3 notes=1
// hmc: --cat c11 --dependencies syntactic -- -DWRONG => violated kind=race
// hmc: --cat lkmm --dependencies syntactic -- -DWRONG => violated kind=race
//
// Both threads write a 1 because they read the other's, through no dependency that the models but sc see. Then one ends the program while the other one waits for ever: an execution to its end, which
// enumeration took for none, because a thread waits in it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y, z;
static int shared;

static void *one(void *arg) {
    int set = 0;
    if (atomic_load_explicit(&x, memory_order_relaxed))
        set = 1;
    atomic_store_explicit(&y, set, memory_order_relaxed);
    if (set) {
        shared = 1; // HERE
        exit(0);
    }
    return arg;
}

static void *other(void *arg) {
    int set = 0;
    if (atomic_load_explicit(&y, memory_order_relaxed))
        set = 1;
    atomic_store_explicit(&x, set, memory_order_relaxed);
    if (set) {
#ifdef WRONG
        shared = 2; // HERE
#endif
        while (!atomic_load_explicit(&z, memory_order_relaxed))
            ;
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
