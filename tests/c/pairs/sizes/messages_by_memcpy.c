// hmc: --cat sc,rc11,aarch64,lkmm => holds,holds,holds,holds
// hmc: --cat rc11,aarch64,lkmm -- -DWRONG => violated,violated,violated
// hmc: --cat rc11 -- -DWRONG => violated kind=race
// hmc: --cat sc,rc11,aarch64,lkmm -- -DEARLY => violated,violated,violated,violated
// hmc: --cat sc -- -DEARLY => violated kind=assertion
//
// A queue for one producer and one consumer, whose slots are bytes: messages are copied in and out.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct message {
    int number;
    char kind;
    short length;
};

static char slots[2][sizeof(struct message)];
static atomic_uint tail;

#ifdef WRONG
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static void *producer(void *arg) {
    for (unsigned i = 0; i < 2; i++) {
        struct message m = {.number = i + 1, .kind = 'a', .length = 7};
#ifdef EARLY
        atomic_store_explicit(&tail, i + 1, RELEASE);
#endif
        memcpy(slots[i], &m, sizeof m); // HERE
#ifndef EARLY
        atomic_store_explicit(&tail, i + 1, RELEASE);
#endif
    }
    return arg;
}

static void *consumer(void *arg) {
    unsigned there = atomic_load_explicit(&tail, memory_order_acquire);
    for (unsigned i = 0; i < there; i++) {
        struct message m;
        memcpy(&m, slots[i], sizeof m); // HERE
        assert(m.number == (int)i + 1 && m.kind == 'a' && m.length == 7); // HERE
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
