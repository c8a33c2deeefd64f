// hmc: --cat rc11 --linearizable queue => holds
// hmc: --cat rc11 --linearizable queue -- -DRELAXED => violated
// hmc: --cat rc11 --linearizable queue -- -DAPART=2 => holds
// The queue of Michael and Scott (PODC 1996) over nodes that are used once. With a relaxed compare-and-swap the value of a node is not handed over.
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif

struct node {
    int value;
    atomic_int next;
};

static struct node nodes[16];
static atomic_int head = 1, tail = 1;
static atomic_int used = 2;

static void enqueue(int value) {
    int node = atomic_fetch_add_explicit(&used, 1, memory_order_relaxed);
    nodes[node].value = value;
    for (;;) {
        int last = atomic_load_explicit(&tail, memory_order_acquire);
        int next = atomic_load_explicit(&nodes[last].next, memory_order_acquire);
        if (next) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
            continue;
        }
        if (atomic_compare_exchange_strong_explicit(&nodes[last].next, &next, node, LINK, memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release, memory_order_relaxed);
            return;
        }
    }
}

static int dequeue(void) {
    for (;;) {
        int first = atomic_load_explicit(&head, memory_order_acquire);
        int last = atomic_load_explicit(&tail, memory_order_acquire);
        int next = atomic_load_explicit(&nodes[first].next, memory_order_acquire);
        if (!next)
            return -1;
        if (first == last) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
            continue;
        }
        int value = nodes[next].value;
        if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_acq_rel, memory_order_relaxed))
            return value;
    }
}

#ifdef APART
// Each call has a thread of its own: APART threads put, and as many take.
static void *puts_one(void *value) {
    enqueue((int)(long)value);
    return 0;
}

static void *takes_one(void *unused) {
    dequeue();
    return 0;
}

int main(void) {
    pthread_t threads[2 * APART];
    for (long i = 0; i < APART; i++)
        pthread_create(&threads[i], 0, puts_one, (void *)(i + 1));
    for (long i = APART; i < 2 * APART; i++)
        pthread_create(&threads[i], 0, takes_one, 0);
    for (int i = 0; i < 2 * APART; i++)
        pthread_join(threads[i], 0);
    return 0;
}
#else
static void *puts_two(void *unused) {
    enqueue(1);
    enqueue(2);
    return 0;
}

static void *takes_two(void *unused) {
    dequeue();
    dequeue();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, puts_two, 0);
    pthread_create(&b, 0, takes_two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
#endif
