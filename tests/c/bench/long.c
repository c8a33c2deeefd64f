// hmc: --cat sc -- -DL=4 => holds executions=1
// hmc: --cat rc11 -- -DL=4 => holds executions=1
//
// Four threads that work on variables of their own, L rounds each: one execution of 4 * L writes and 4 * L reads.
#include <pthread.h>
#include <stdatomic.h>

#ifndef L
#define L 4
#endif
#define T 4

static atomic_int own[T];

static void *work(void *arg) {
    atomic_int *mine = &own[(long)arg];
    for (int i = 0; i < L; i++) {
        atomic_store_explicit(mine, i, memory_order_release);
        (void)atomic_load_explicit(mine, memory_order_acquire);
    }
    return 0;
}

int main(void) {
    pthread_t t[T];
    for (long i = 0; i < T; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < T; i++)
        pthread_join(t[i], 0);
    return 0;
}
