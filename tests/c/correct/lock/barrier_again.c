// hmc: --cat sc => holds executions=1
// hmc: --cat rc11 => holds executions=1
// hmc: --cat aarch64 => holds executions=1
//
// A barrier for two, at which `main` meets one thread, and another one when that has ended: what a thread comes to first is not the first round for all.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t both;
static int round_;

static void *meet(void *arg) {
    round_++;
    pthread_barrier_wait(&both);
    return arg;
}

int main(void) {
    pthread_barrier_init(&both, 0, 2);
    for (int i = 1; i <= 3; i++) {
        pthread_t other;
        pthread_create(&other, 0, meet, 0);
        pthread_barrier_wait(&both);
        assert(round_ == i);
        pthread_join(other, 0);
    }
    return 0;
}
