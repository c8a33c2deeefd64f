// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
//
// Lamport's bakery for T threads.
// L. Lamport, "A new solution of Dijkstra's concurrent programming problem", CACM 17(8), 1974.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif
#ifndef T
#define T 2
#endif

static atomic_int choosing[T], number[T];
static int inside;

static int get(atomic_int *p) { return atomic_load_explicit(p, ORDER); }
static void set(atomic_int *p, int v) { atomic_store_explicit(p, v, ORDER); }

static void *contend(void *arg) {
    int i = (int)(long)arg, mine = 0;
    set(&choosing[i], 1);
    for (int j = 0; j < T; j++) {
        int n = j == i ? 0 : get(&number[j]);
        if (n > mine)
            mine = n;
    }
    mine++;
    set(&number[i], mine);
    set(&choosing[i], 0);
    for (int j = 0; j < T; j++) {
        if (j == i)
            continue;
        while (get(&choosing[j]))
            ;
        for (;;) {
            int n = get(&number[j]);
            if (n == 0 || n > mine || (n == mine && j > i))
                break;
        }
    }
    inside = i;
    assert(inside == i);
    set(&number[i], 0);
    return 0;
}

int main(void) {
    pthread_t t[T];
    for (long i = 0; i < T; i++)
        pthread_create(&t[i], 0, contend, (void *)i);
    for (int i = 0; i < T; i++)
        pthread_join(t[i], 0);
    return 0;
}
