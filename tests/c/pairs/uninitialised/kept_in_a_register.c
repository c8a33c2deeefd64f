// hmc: --cat rc11 => holds notes=0
// hmc: --cat sc -- -DBOTH => holds notes=0
// hmc: --cat rc11 -- -DWRONG => violated kind=uninitialised
// hmc: --cat sc -- -DBOTH -DWRONG => violated kind=uninitialised
// hmc: --cat sc -- -DARRAY => holds notes=0
// hmc: --cat sc -- -DARRAY -DWRONG => violated kind=uninitialised
// hmc: --cat sc -- -DCOPY => holds notes=0
// hmc: --cat sc -- -DCOPY -DWRONG => violated kind=uninitialised
// hmc: --cat sc --properties assertion -- -DWRONG => holds
//
// A variable that only its thread can see is read, and nothing was written to it on the way that the thread came.
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    int a, b;
};

static atomic_int x, y;

static void *work(void *arg) {
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
#if defined ARRAY
    int values[3];
    for (int i = 0; i < 3; i++) {
#ifdef WRONG
        if (i == 1)
            continue;
#endif
        values[i] = i;
    }
    int value = values[seen]; // HERE
#elif defined COPY
    struct pair first, second;
    first.a = 1;
#ifndef WRONG
    first.b = 2;
#endif
    second = first;
    int value = second.a + second.b; // HERE
#else
    int value;
    if (seen)
        value = 1;
#if defined BOTH && !defined WRONG
    else
        value = 2;
#elif !defined WRONG
    if (!seen)
        return arg;
#endif
    value += 1; // HERE
#endif
    atomic_store_explicit(&y, value, memory_order_relaxed);
    return arg;
}

static void *other(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
