// hmc: --cat sc => holds executions=1 blocked=0
// hmc: --cat tso => holds executions=1 blocked=0
// hmc: --cat pso => holds executions=1 blocked=0
// hmc: --cat rc11 => holds executions=1 blocked=0
// hmc: --cat c11,imm,lkmm => holds executions=1
// hmc: --cat aarch64,arm,armv7,power,riscv => holds executions=1
// hmc: --cat sc,tso,rc11,imm,lkmm,aarch64,power -- -DTIMES => holds
//
// A post synchronises with the wait that takes it, so a slot goes from a producer to a consumer and back; that is one execution. With time-outs, both try until they get it.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#define N 2

static sem_t items, room;
static int slot;

static void *producer(void *arg) {
    for (int i = 1; i <= N; i++) {
        sem_wait(&room);
        slot = i;
        sem_post(&items);
    }
    return arg;
}

static void *consumer(void *arg) {
    for (int i = 1; i <= N; i++) {
#ifdef TIMES
        struct timespec late = {1, 0};
        if (sem_timedwait(&items, &late) != 0)
            return arg;
#else
        sem_wait(&items);
#endif
        assert(slot == i);
        if (i < N)
            sem_post(&room);
    }
    return arg;
}

int main(void) {
    sem_init(&items, 0, 0);
    sem_init(&room, 0, 1);
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
#ifndef TIMES
    pthread_join(a, 0);
    pthread_join(b, 0);
    int left;
    sem_getvalue(&items, &left);
    assert(left == 0);
    sem_destroy(&items);
    sem_destroy(&room);
#endif
    return 0;
}
