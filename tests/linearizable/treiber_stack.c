// hmc: --cat sc,rc11,imm --linearizable stack;empty=0 -- -DVERSIONS => holds
// hmc: --cat sc,rc11,imm --linearizable stack;empty=0 => violated linearizability
// Treiber's stack over indices that are used again at once. Without a version beside the index of the top, a value is taken twice (ABA).
#include <pthread.h>
#include <stdatomic.h>

#ifdef VERSIONS
#define NEXT_VERSION(top) (((top) & ~0xffu) + 0x100u)
#else
#define NEXT_VERSION(top) 0u
#endif

static atomic_uint next[16];
static atomic_uint top;

static void push(int value) {
    for (;;) {
        unsigned old = atomic_load_explicit(&top, memory_order_acquire);
        atomic_store_explicit(&next[value], old & 0xff, memory_order_relaxed);
        unsigned new = NEXT_VERSION(old) | (unsigned)value;
        if (atomic_compare_exchange_strong_explicit(&top, &old, new, memory_order_acq_rel, memory_order_relaxed))
            return;
    }
}

static int pop(void) {
    for (;;) {
        unsigned old = atomic_load_explicit(&top, memory_order_acquire);
        if (!(old & 0xff))
            return 0;
        unsigned new = NEXT_VERSION(old) | atomic_load_explicit(&next[old & 0xff], memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &old, new, memory_order_acq_rel, memory_order_relaxed))
            return (int)(old & 0xff);
    }
}

static void *pops(void *unused) {
    pop();
    return 0;
}

static void *pops_and_pushes(void *unused) {
    int first = pop();
    pop();
    if (first)
        push(first);
    return 0;
}

int main(void) {
    pthread_t a, b;
    push(1);
    push(2);
    push(3);
    pthread_create(&a, 0, pops, 0);
    pthread_create(&b, 0, pops_and_pushes, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    while (pop())
        ;
    return 0;
}
