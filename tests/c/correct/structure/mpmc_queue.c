// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat ra => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
//
// A bounded queue for several producers and consumers: each cell carries a sequence number.
// D. Vyukov, "Bounded MPMC queue", 1024cores.net, 2010; written from the description.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif
#ifndef P
#define P 2
#endif

#define SIZE 2

struct cell {
    atomic_uint seq;
    int value;
};

static struct cell cells[SIZE] = {{0, 0}, {1, 0}};
static atomic_uint in, out;

static int put(int value) {
    unsigned pos = atomic_load_explicit(&in, memory_order_relaxed);
    for (;;) {
        struct cell *c = &cells[pos % SIZE];
        int lag = (int)(atomic_load_explicit(&c->seq, memory_order_acquire) - pos);
        if (lag < 0)
            return 0;
        if (lag > 0) {
            pos = atomic_load_explicit(&in, memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(&in, &pos, pos + 1, memory_order_relaxed, memory_order_relaxed)) {
            c->value = value;
            atomic_store_explicit(&c->seq, pos + 1, PUBLISH);
            return 1;
        }
    }
}

static int get(void) {
    unsigned pos = atomic_load_explicit(&out, memory_order_relaxed);
    for (;;) {
        struct cell *c = &cells[pos % SIZE];
        int lag = (int)(atomic_load_explicit(&c->seq, memory_order_acquire) - (pos + 1));
        if (lag < 0)
            return 0;
        if (lag > 0) {
            pos = atomic_load_explicit(&out, memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(&out, &pos, pos + 1, memory_order_relaxed, memory_order_relaxed)) {
            int value = c->value;
            atomic_store_explicit(&c->seq, pos + SIZE, memory_order_release);
            return value;
        }
    }
}

static void *producer(void *arg) {
    put((int)(long)arg);
    return 0;
}

static void *consumer(void *arg) {
    (void)arg;
    int value = get();
    assert(value >= 0 && value <= P);
    return 0;
}

int main(void) {
    pthread_t p[P], c;
    for (long i = 0; i < P; i++)
        pthread_create(&p[i], 0, producer, (void *)(i + 1));
    pthread_create(&c, 0, consumer, 0);
    for (int i = 0; i < P; i++)
        pthread_join(p[i], 0);
    pthread_join(c, 0);
    // What was put and not taken is still there.
    int left = 0;
    while (get())
        left++;
    assert(left >= P - 1);
    return 0;
}
