// hmc: --cat c11 --dependencies syntactic => holds notes=1 executions=3
// hmc: --cat lkmm --dependencies syntactic => holds notes=1 executions=3
// hmc: --cat c11,lkmm -- -DFURTHER => holds executions=2 notes=1
// hmc: --cat imm => holds executions=2 notes=0
//
// The counter `x` gets to three only if the first thread counts three times, which it does only if it reads a 7 in `y`; and the other thread writes that only if the counter gets to three. No run
// on values that threads write otherwise counts further than one: how far a counter gets is not known before all ways are. That execution is found by running each thread alone; where twelve are
// to be counted, that does not come to an end, and a note says so.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

#ifdef FURTHER
#define LAST 12
#else
#define LAST 3
#endif

static void count(void) {
    atomic_store_explicit(&x, atomic_load_explicit(&x, memory_order_relaxed) + 1, memory_order_relaxed);
}

static void *one(void *arg) {
    (void)arg;
    int further = 0;
    if (atomic_load_explicit(&y, memory_order_relaxed) == 7)
        further = 1;
    count();
    if (further) {
        count();
        count();
#ifdef FURTHER
        count();
        count();
        count();
        count();
        count();
        count();
        count();
        count();
        count();
#endif
    }
    return 0;
}

static void *other(void *arg) {
    (void)arg;
    if (atomic_load_explicit(&x, memory_order_relaxed) == LAST)
        atomic_store_explicit(&y, 7, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, other, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
