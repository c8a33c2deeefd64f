// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
//
// A ring for one producer and one consumer.
// L. Lamport, "Proving the correctness of multiprocess programs", IEEE Trans. Software Engineering 3(2), 1977.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif

#define SIZE 2
#define ITEMS 3

static int slots[SIZE];
static atomic_uint head, tail;

static void put(int value) {
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    while (t - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
        ;
    slots[t % SIZE] = value;
    atomic_store_explicit(&tail, t + 1, PUBLISH);
}

static int get(void) {
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    while (atomic_load_explicit(&tail, memory_order_acquire) == h)
        ;
    int value = slots[h % SIZE];
    atomic_store_explicit(&head, h + 1, memory_order_release);
    return value;
}

static void *producer(void *arg) {
    (void)arg;
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return 0;
}

static void *consumer(void *arg) {
    (void)arg;
    for (int i = 1; i <= ITEMS; i++)
        assert(get() == i);
    return 0;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    return 0;
}
