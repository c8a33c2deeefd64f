// hmc: --cat sc -- -DCK_USE_CC_BUILTINS=1 => holds
// hmc: --cat tso -- -DCK_USE_CC_BUILTINS=1 => holds
//
// A client of Concurrency Kit's ring with one producer and one consumer: what comes out is what went in, in order.
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>

#define SIZE 4
#define ITEMS 2

static ck_ring_t ring;
static ck_ring_buffer_t buffer[SIZE];
static int items[ITEMS] = {10, 11};

static void *producer(void *arg) {
    (void)arg;
    for (int i = 0; i < ITEMS; i++)
        assert(ck_ring_enqueue_spsc(&ring, buffer, &items[i]));
    return 0;
}

static void *consumer(void *arg) {
    (void)arg;
    int expected = 10;
    for (int i = 0; i < ITEMS; i++) {
        void *entry;
        if (ck_ring_dequeue_spsc(&ring, buffer, &entry))
            assert(*(int *)entry == expected++);
    }
    return 0;
}

int main(void) {
    pthread_t p, c;
    ck_ring_init(&ring, SIZE);
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    return 0;
}
