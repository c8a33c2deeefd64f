// hmc: --symmetry off --cat sc,rc11,imm => holds executions=4 blocked=10
//
// D. Vyukov's bounded queue with a number in each cell that says whose turn it is: P threads put a number in each, C threads take one out each if there is one. A thread that finds the cell taken by another one tries the next.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef P
#define P 2
#endif
#ifndef C
#define C 1
#endif
#define SIZE 4

static struct cell {
    atomic_uint turn;
    int value;
} cells[SIZE];
static atomic_uint in, out;

static void *put(void *arg) {
    unsigned at = atomic_load_explicit(&in, memory_order_relaxed);
    for (;;) {
        struct cell *cell = &cells[at % SIZE];
        int ahead = (int)(atomic_load_explicit(&cell->turn, memory_order_acquire) - at);
        if (ahead == 0) {
            if (atomic_compare_exchange_strong_explicit(&in, &at, at + 1, memory_order_relaxed, memory_order_relaxed)) {
                cell->value = (int)(long)arg;
                atomic_store_explicit(&cell->turn, at + 1, memory_order_release);
                return (void *)1;
            }
        } else if (ahead < 0) {
            return 0;
        } else {
            at = atomic_load_explicit(&in, memory_order_relaxed);
        }
    }
}

static void *take(void *arg) {
    (void)arg;
    unsigned at = atomic_load_explicit(&out, memory_order_relaxed);
    for (;;) {
        struct cell *cell = &cells[at % SIZE];
        int ahead = (int)(atomic_load_explicit(&cell->turn, memory_order_acquire) - (at + 1));
        if (ahead == 0) {
            if (atomic_compare_exchange_strong_explicit(&out, &at, at + 1, memory_order_relaxed,
                                                        memory_order_relaxed)) {
                int value = cell->value;
                atomic_store_explicit(&cell->turn, at + SIZE, memory_order_release);
                return (void *)(long)value;
            }
        } else if (ahead < 0) {
            return 0;
        } else {
            at = atomic_load_explicit(&out, memory_order_relaxed);
        }
    }
}

int main(void) {
    pthread_t t[P + C];
    for (int i = 0; i < SIZE; i++)
        atomic_init(&cells[i].turn, i);
    for (int i = 0; i < P; i++)
        pthread_create(&t[i], 0, put, (void *)(long)(i + 1));
    for (int i = 0; i < C; i++)
        pthread_create(&t[P + i], 0, take, 0);
    unsigned added = 0, taken = 0;
    for (int i = 0; i < P + C; i++) {
        void *got;
        pthread_join(t[i], &got);
        *(i < P ? &added : &taken) += got != 0;
    }
    assert(in == added && out == taken && taken <= added);
    return 0;
}
