// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat rc11 => holds
// hmc: --cat imm => holds
//
// Szymanski's mutual exclusion for T threads.
// B. K. Szymanski, "A simple solution to Lamport's concurrent programming problem with linear wait", ICS 1988.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif
#ifndef T
#define T 2
#endif

static atomic_int flag[T];
static int inside;

static int get(int j) { return atomic_load_explicit(&flag[j], ORDER); }
static void set(int i, int v) { atomic_store_explicit(&flag[i], v, ORDER); }

static void *contend(void *arg) {
    int i = (int)(long)arg;
    set(i, 1);
    for (int j = 0; j < T; j++)
        while (get(j) >= 3)
            ;
    set(i, 3);
    int waiting = 0;
    for (int j = 0; j < T; j++)
        if (get(j) == 1)
            waiting = 1;
    if (waiting) {
        set(i, 2);
        for (int open = 0; !open;)
            for (int j = 0; j < T; j++)
                if (get(j) == 4)
                    open = 1;
    }
    set(i, 4);
    for (int j = 0; j < i; j++)
        while (get(j) >= 2)
            ;
    inside = i;
    assert(inside == i);
    for (int j = i + 1; j < T; j++) {
        int seen;
        do
            seen = get(j);
        while (seen == 2 || seen == 3);
    }
    set(i, 0);
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
