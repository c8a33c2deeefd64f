// hmc: --cat c11 --dependencies syntactic => holds executions=5 notes=1
// hmc: --cat lkmm --dependencies syntactic => holds executions=5 notes=1
// hmc: --cat rc11 => holds executions=3 notes=0
// hmc: --cat c11 --engine enumerate --dependencies syntactic => holds executions=5 notes=1
// hmc: --cat rc11 --engine enumerate => holds executions=3 notes=1
// hmc: --cat c11 --dependencies syntactic -- -DWRONG -DNOT_ALLOCATED => violated kind=memory
// hmc: --cat lkmm --dependencies syntactic -- -DWRONG -DNOT_ALLOCATED => violated kind=memory
// hmc: --cat c11 --dependencies syntactic -- -DWRONG -DTWICE => violated kind=memory
// hmc: --cat lkmm --dependencies syntactic -- -DWRONG -DTWICE => violated kind=memory
// hmc: --cat c11 --dependencies syntactic -- -DWRONG -DFREED => violated kind=memory
// hmc: --cat lkmm --dependencies syntactic -- -DWRONG -DFREED => violated kind=memory
// hmc: --cat c11 --dependencies syntactic -- -DWRONG -DNULL_POINTER => violated kind=memory
// hmc: --cat lkmm --dependencies syntactic -- -DWRONG -DNULL_POINTER => violated kind=memory
// hmc: --cat c11 --dependencies syntactic -- -DWRONG -DMISALIGNED => violated kind=memory
// hmc: --cat lkmm --dependencies syntactic -- -DWRONG -DMISALIGNED => violated kind=memory
// hmc: --cat c11 --dependencies syntactic -- -DWRONG -DBEYOND => violated kind=memory
// hmc: --cat lkmm --dependencies syntactic -- -DWRONG -DBEYOND => violated kind=memory
// hmc: --cat c11 --dependencies syntactic -- -DWRONG -DCONSTANT => violated kind=memory
// hmc: --cat lkmm --dependencies syntactic -- -DWRONG -DCONSTANT => violated kind=memory
// hmc: --cat c11 --dependencies syntactic -- -DWRONG -DNO_THREAD => violated kind=threads
// hmc: --cat lkmm --dependencies syntactic -- -DWRONG -DNO_THREAD => violated kind=threads
//
// Both threads write a 1 because they read the other's, through no dependency that the models but rc11 see. Exploration does not come to that execution: it is found by enumeration, which runs threads
// past what exploration stops them at. That memory is freed which is none, and accesses to freed memory, were not seen in it, and other errors were called the free of a null pointer.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y, z;
static int *cell, variable;
static atomic_int *nothing;
static const int constant = 1;

static void *one(void *arg) {
    int set = 0;
    if (atomic_load_explicit(&x, memory_order_relaxed))
        set = 1;
#ifndef WRONG
    // The two come before and behind each other, by way of what the other thread reads.
    if (set) {
        *cell = 1;
        free(cell);
    }
#endif
    atomic_store_explicit(&y, set, memory_order_relaxed);
#ifdef WRONG
    if (set) {
#if defined(NOT_ALLOCATED)
        free(&variable); // HERE
#elif defined(TWICE)
        free(cell);
        free(cell); // HERE
#elif defined(FREED)
        free(cell);
        *cell = 1; // HERE
#elif defined(NULL_POINTER)
        atomic_store_explicit(nothing, 1, memory_order_relaxed); // HERE
#elif defined(MISALIGNED)
        int *inside = (int *)((char *)cell + 1);
        *inside = 1; // HERE
#elif defined(BEYOND)
        cell[1] = 1; // HERE
#elif defined(CONSTANT)
        *(int *)&constant = 1; // HERE
#elif defined(NO_THREAD)
        pthread_join(7, 0); // HERE
#endif
    }
#endif
    return arg;
}

static void *other(void *arg) {
    int set = 0;
    if (atomic_load_explicit(&y, memory_order_relaxed))
        set = 1;
    if (set)
        atomic_store_explicit(&z, 1, memory_order_relaxed);
    atomic_store_explicit(&x, set, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a, b;
    cell = malloc(sizeof *cell);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
