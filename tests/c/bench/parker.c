// hmc: --symmetry off --cat c11 => holds executions=9
// hmc: --cat sc -- -DL=1 => holds
// hmc: --cat tso -- -DL=1 => holds
// hmc: --symmetry off --cat sc,imm,riscv,aarch64,power => holds executions=9 blocked=0
// hmc: --cat tso -- -DL=1 -DNO_FENCE => violated
//
// A parker as in a Java virtual machine: a permit that is consumed without a lock on the fast path. Without the fence on that path
// the consumer reads the condition before its clearing of the permit is visible, and sleeps although it was woken.
// D. Dice, "A race in LockSupport park() arising from weak memory models", 2009; the C program of the TSO table of P. A. Abdulla and
// others, "Stateless model checking for TSO and PSO", TACAS 2015, checks the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef L
#define L 1
#endif

static atomic_int counter, condition;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void park(void) {
    // Fast path: take the permit without the lock.
    if (atomic_load_explicit(&counter, memory_order_acquire) > 0) {
        atomic_store_explicit(&counter, 0, memory_order_relaxed);
#ifndef NO_FENCE
        atomic_thread_fence(memory_order_seq_cst);
#endif
        return;
    }
    // Slow path: wait for a permit.
    for (;;) {
        pthread_mutex_lock(&mutex);
        int permits = atomic_load_explicit(&counter, memory_order_relaxed);
        if (permits > 0)
            atomic_store_explicit(&counter, 0, memory_order_relaxed);
        pthread_mutex_unlock(&mutex);
        if (permits > 0) {
            atomic_thread_fence(memory_order_seq_cst);
            return;
        }
        while (atomic_load_explicit(&counter, memory_order_acquire) == 0)
            ;
    }
}

static void unpark(void) {
    pthread_mutex_lock(&mutex);
    atomic_store_explicit(&counter, 1, memory_order_relaxed);
    pthread_mutex_unlock(&mutex);
}

static atomic_int seen;

static void *consumer(void *arg) {
    (void)arg;
    for (int i = 0; i < L; i++) {
        park();
        // A permit that is given after this point must find the counter cleared: else the next unpark is lost.
        if (!atomic_load_explicit(&condition, memory_order_relaxed))
            atomic_store_explicit(&seen, 1, memory_order_relaxed);
    }
    return 0;
}

static atomic_int before;

static void *producer(void *arg) {
    (void)arg;
    for (int i = 0; i < L; i++)
        unpark();
    atomic_store_explicit(&condition, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    before = atomic_load_explicit(&counter, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, consumer, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    // Not both: the consumer missed the condition, and its clearing of the permit was not seen by the producer.
    assert(!(atomic_load(&seen) && atomic_load(&before))); // HERE
    return 0;
}
