// hmc: --cat sc,rc11 --linearizable tests/linearizable/specifications/any_of_two.c => holds
// hmc: --cat sc,rc11 --linearizable queue:insert,take => violated linearizability
// Two places that are looked at from the first on: a bag whose takes may miss a value that comes and goes. It is no queue.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int places[2];

static void insert(int value) {
    int empty = 0;
    if (!atomic_compare_exchange_strong(&places[0], &empty, value))
        atomic_store(&places[1], value);
}

static int take(void) {
    for (int at = 0; at < 2; at++) {
        int value = atomic_exchange(&places[at], 0);
        if (value)
            return value;
    }
    return -1;
}

static void *puts_two(void *unused) {
    insert(1);
    insert(2);
    return 0;
}

static void *takes_two(void *unused) {
    take();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, puts_two, 0);
    pthread_join(a, 0);
    pthread_create(&a, 0, takes_two, 0);
    pthread_create(&b, 0, takes_two, 0);
    insert(3);
    pthread_join(a, 0);
    pthread_join(b, 0);
    take();
    take();
    return 0;
}
