// hmc: --cat sc => holds executions=221
// hmc: --cat rc11,c11,lkmm -- -DWRONG => violated kind=race
// hmc: --cat rc11,c11 --keep-going -- -DWRONG => violated kind=race
//
// A loop that counts how often it has looked, and gives the processor away now and then. It changes something each round, and comes back to where it was after a hundred of them.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifdef WRONG
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

static atomic_int flag;
static int data;

static void *reader(void *arg) {
    int spins = 0;
    while (!atomic_load_explicit(&flag, memory_order_acquire)) {
        if (++spins > 100) {
            sched_yield();
            spins = 0;
        }
    }
    (void)*(volatile int *)&data; // HERE
    return arg;
}

static void *writer(void *arg) {
    data = 7; // HERE
    atomic_store_explicit(&flag, 1, ORDER);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
