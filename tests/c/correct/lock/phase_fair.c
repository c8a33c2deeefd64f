// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
// hmc: --cat rc11 -- -DLEAVE=memory_order_relaxed => violated
//
// A phase-fair reader-writer lock with counters of eight bits and more in one word.
// B. B. Brandenburg, J. H. Anderson, "Spin-based reader-writer synchronization for multiprocessor real-time systems", Real-Time Systems 46(1), 2010.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef LEAVE
#define LEAVE memory_order_release
#endif
#define READER 0x100
#define PRESENT 2
#define PHASE 1
#define WRITER (PRESENT | PHASE)

static atomic_uint readers_in, readers_out, writers_in, writers_out;
static int x, y;

static void *reader(void *arg) {
    unsigned writer = atomic_fetch_add_explicit(&readers_in, READER, memory_order_acquire) & WRITER;
    while (writer && writer == (atomic_load_explicit(&readers_in, memory_order_acquire) & WRITER))
        ;
    assert(x == y);
    atomic_fetch_add_explicit(&readers_out, READER, LEAVE);
    return arg;
}

static void *writer(void *arg) {
    unsigned ticket = atomic_fetch_add_explicit(&writers_in, 1, memory_order_relaxed);
    while (atomic_load_explicit(&writers_out, memory_order_acquire) != ticket)
        ;
    unsigned before = atomic_fetch_add_explicit(&readers_in, PRESENT | (ticket & PHASE), memory_order_acquire);
    while (atomic_load_explicit(&readers_out, memory_order_acquire) != before)
        ;
    x++;
    y++;
    atomic_fetch_and_explicit(&readers_in, ~(READER - 1u), memory_order_release);
    atomic_store_explicit(&writers_out, ticket + 1, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_create(&c, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(x == 2 && y == 2);
    return 0;
}
