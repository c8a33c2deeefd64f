// hmc: --cat rc11 --linearizable queue:put,take --synchronised removes -- -DEMPTY => holds
// hmc: --cat rc11 --linearizable queue:put,take --synchronised removes => violated linearizability
// Takes that nothing orders. Two that take something have to be seen by each other where removes are asked about; two that find nothing have not.
#include <pthread.h>
#include <stdatomic.h>

static int values[4];
static int last;
static atomic_int first;

static void put(int value) {
    values[last++] = value;
}

static int take(void) {
    int value = values[atomic_fetch_add_explicit(&first, 1, memory_order_relaxed)];
    return value ? value : -1;
}

static void *takes(void *unused) {
    take();
    return unused;
}

int main(void) {
    pthread_t one, other;
#ifndef EMPTY
    put(1);
    put(2);
#endif
    pthread_create(&one, 0, takes, 0);
    pthread_create(&other, 0, takes, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
