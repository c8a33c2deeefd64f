// hmc: --cat sc,tso,aarch64 --linearizable queue;waits => holds executions=3188
// hmc: --cat aarch64 --linearizable queue;waits -- -DBUG => holds executions=3197
// hmc: --cat rc11 --linearizable queue;waits -- -DBUG => violated linearizability
// The client of four puts and three takes that tells a queue of Herlihy and Wing whose exchange does not release from a right one: the first put
// returns before the second, the third before the first take, and the second take before the fourth put. Switches leave one of these orders out.
#include "structures/herlihy_wing_queue.c"
#include <pthread.h>

static atomic_int returned[3];

static void has_returned(int call) {
    atomic_store_explicit(&returned[call], 1, memory_order_release);
}

static void await(int call) {
    hmc_assume(atomic_load_explicit(&returned[call], memory_order_acquire));
}

static void *put_1(void *unused) {
    enqueue(1);
#ifndef NOT_FIRST
    has_returned(0);
#endif
    return unused;
}

static void *put_2(void *unused) {
#ifndef NOT_FIRST
    await(0);
#endif
    enqueue(2);
    return unused;
}

static void *put_3(void *unused) {
    enqueue(3);
#ifndef NOT_SECOND
    has_returned(1);
#endif
    return unused;
}

static void *put_4(void *unused) {
#ifndef NOT_THIRD
    await(2);
#endif
    enqueue(4);
    return unused;
}

static void *take_1(void *unused) {
#ifndef NOT_SECOND
    await(1);
#endif
    dequeue();
    return unused;
}

static void *take_2(void *unused) {
    dequeue();
#ifndef NOT_THIRD
    has_returned(2);
#endif
    return unused;
}

static void *take_3(void *unused) {
    dequeue();
    return unused;
}

int main(void) {
    void *(*calls[])(void *) = {put_1, put_2, put_3, put_4, take_1, take_2, take_3};
    pthread_t threads[7];
    for (int call = 0; call < 7; call++)
        pthread_create(&threads[call], 0, calls[call], 0);
    return 0;
}
