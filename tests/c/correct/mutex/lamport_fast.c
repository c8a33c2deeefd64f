// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
//
// Lamport's fast mutual exclusion, algorithm 2.
// L. Lamport, "A fast mutual exclusion algorithm", ACM TOCS 5(1), 1987.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif
#ifndef T
#define T 2
#endif

static atomic_int x, y, b[T + 1];
static int inside;

static int get(atomic_int *p) { return atomic_load_explicit(p, ORDER); }
static void set(atomic_int *p, int v) { atomic_store_explicit(p, v, ORDER); }

static void lock(int i) {
    for (;;) {
        set(&b[i], 1);
        set(&x, i);
        if (get(&y) != 0) {
            set(&b[i], 0);
            while (get(&y) != 0)
                ;
            continue;
        }
        set(&y, i);
        if (get(&x) != i) {
            set(&b[i], 0);
            for (int j = 1; j <= T; j++)
                while (get(&b[j]))
                    ;
            if (get(&y) != i) {
                while (get(&y) != 0)
                    ;
                continue;
            }
        }
        return;
    }
}

static void unlock(int i) {
    set(&y, 0);
    set(&b[i], 0);
}

static void *contend(void *arg) {
    int me = (int)(long)arg;
    lock(me);
    inside = me;
    assert(inside == me);
    unlock(me);
    return 0;
}

int main(void) {
    pthread_t t[T];
    for (long i = 0; i < T; i++)
        pthread_create(&t[i], 0, contend, (void *)(i + 1));
    for (int i = 0; i < T; i++)
        pthread_join(t[i], 0);
    return 0;
}
