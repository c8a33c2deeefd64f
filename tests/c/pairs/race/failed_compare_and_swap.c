// hmc: --cat rc11,c11,imm,lkmm => holds executions=2
// hmc: --cat rc11,c11,lkmm -- -DWRONG => violated kind=race
// hmc: --cat lkmm -- -DKERNEL => violated kind=race
//
// A compare-and-swap of C11 that fails acquires if its failing order says so; one of the kernel's that fails orders nothing, whatever it is called.
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define FAILING memory_order_relaxed
#else
#define FAILING memory_order_acquire
#endif

#ifdef KERNEL
static int flag;
#else
static atomic_int flag;
#endif
static int data;

static void *writer(void *arg) {
    data = 42; // HERE
#ifdef KERNEL
    smp_store_release(&flag, 1);
#else
    atomic_store_explicit(&flag, 1, memory_order_release);
#endif
    return arg;
}

static void *reader(void *arg) {
#ifdef KERNEL
    int seen = cmpxchg(&flag, 5, 2);
#else
    int seen = 5;
    atomic_compare_exchange_strong_explicit(&flag, &seen, 2, memory_order_acq_rel, FAILING);
#endif
    if (seen == 1)
        (void)*(volatile int *)&data; // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
