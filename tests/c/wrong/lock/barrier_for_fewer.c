// hmc: --cat sc => unsupported
// hmc: --cat rc11 => unsupported
// hmc: --cat aarch64 => unsupported
//
// Four threads at a barrier for two: any two may meet, which is not explored, and said to be so.
#include <pthread.h>

static pthread_barrier_t two;

static void *meet(void *arg) {
    pthread_barrier_wait(&two);
    return arg;
}

int main(void) {
    pthread_t t[4];
    pthread_barrier_init(&two, 0, 2);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, meet, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
