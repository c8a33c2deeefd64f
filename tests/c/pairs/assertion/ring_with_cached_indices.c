// hmc: --cat aarch64,power -- -DWRONG => violated kind=assertion
// hmc: --cat sc --unroll 1 => bounded notes=2
//
// A ring for one producer and one consumer that remember each other's index, and look again in the loop that tries again: a round stores what it has seen.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2
#ifdef WRONG
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

static atomic_uint head, tail;
static unsigned head_seen, tail_seen;
static int slots[SLOTS];

static int push(int value) {
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    if (at - head_seen == SLOTS) {
        head_seen = atomic_load_explicit(&head, memory_order_acquire);
        if (at - head_seen == SLOTS)
            return 0;
    }
    slots[at % SLOTS] = value;
    atomic_store_explicit(&tail, at + 1, ORDER);
    return 1;
}

static int pop(int *value) {
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    if (at == tail_seen) {
        tail_seen = atomic_load_explicit(&tail, memory_order_acquire);
        if (at == tail_seen)
            return 0;
    }
    *value = slots[at % SLOTS];
    atomic_store_explicit(&head, at + 1, memory_order_release);
    return 1;
}

static void *producer(void *arg) {
    for (int i = 1; i <= 3; i++)
        while (!push(i))
            ;
    return arg;
}

static void *consumer(void *arg) {
    for (int i = 1; i <= 3; i++) {
        int value;
        while (!pop(&value))
            ;
        assert(value == i); // HERE
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, consumer, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
