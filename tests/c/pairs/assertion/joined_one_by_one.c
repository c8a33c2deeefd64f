// hmc: --cat sc => holds executions=2
// hmc: --cat rc11 => holds executions=2
// hmc: --cat c11 => holds executions=2
// hmc: --cat sc -- -DWRONG => violated kind=assertion
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
// hmc: --cat c11 -- -DWRONG => violated kind=assertion
//
// Two threads run the same code with the same argument, but `main` tells what they return apart: only one order of the two fails.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int next;

static void *ticket(void *arg) {
    (void)arg;
    return (void *)(intptr_t)atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
}

int main(void) {
    pthread_t a, b;
    void *first, *second;
    pthread_create(&a, 0, ticket, 0);
    pthread_create(&b, 0, ticket, 0);
    pthread_join(a, &first);
    pthread_join(b, &second);
#ifdef WRONG
    assert((intptr_t)first > (intptr_t)second); // HERE
#else
    assert(first != second);
#endif
    return 0;
}
