// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv => holds
// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv -- -DWRONG => holds,violated,violated,violated,violated,violated,violated kind=assertion
//
// The entry of Dekker's mutual exclusion: each thread announces itself, then looks for the other. Without fences it is wrong on every
// processor, x86 too: the announcement waits in the store buffer while the thread looks.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define FENCE() ((void)0)
#else
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif

static atomic_int wants[2], inside;

static void enter(int me) {
    atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
    FENCE();
    if (!atomic_load_explicit(&wants[1 - me], memory_order_relaxed)) {
        int others = atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed);
        assert(others == 0); // HERE
    }
}

static void *first(void *arg) {
    enter(0);
    return arg;
}

static void *second(void *arg) {
    enter(1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
