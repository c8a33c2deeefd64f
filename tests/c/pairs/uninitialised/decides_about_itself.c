// hmc: --cat c11 --dependencies syntactic => holds executions=5 notes=1
// hmc: --cat lkmm --dependencies syntactic => holds executions=5 notes=1
// hmc: --cat c11 --dependencies syntactic -- -DWRONG => violated kind=uninitialised
// hmc: --cat lkmm --dependencies syntactic -- -DWRONG => violated kind=uninitialised
//
// Both threads write a 1 because they read the other's, through no dependency that the models see. Exploration does not come to that execution; a read of memory that was never written is seen in it
// all the same.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y, z;
static int *cell;

static void *one(void *arg) {
    int set = 0;
    if (atomic_load_explicit(&x, memory_order_relaxed))
        set = 1;
    atomic_store_explicit(&y, set, memory_order_relaxed);
    if (set) {
#ifndef WRONG
        *cell = 2;
#endif
        atomic_store_explicit(&z, *cell, memory_order_relaxed); // HERE
    }
    return arg;
}

static void *other(void *arg) {
    int set = 0;
    if (atomic_load_explicit(&y, memory_order_relaxed))
        set = 1;
    atomic_store_explicit(&x, set, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a, b;
    cell = malloc(sizeof *cell); // HERE
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(cell);
    return 0;
}
