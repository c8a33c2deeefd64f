// hmc: --cat sc,tso,pso,rc11 => holds executions=6 blocked=0
// hmc: --cat c11,imm,lkmm => holds executions=6
// hmc: --cat aarch64,arm,armv7,power,riscv => holds executions=6
//
// A semaphore that begins with 1 is a lock: three threads come to it in one of six orders.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;
static int count;

static void *thread(void *arg) {
    sem_wait(&lock);
    count++;
    sem_post(&lock);
    return arg;
}

int main(void) {
    sem_init(&lock, 0, 1);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, thread, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(count == 3);
    return 0;
}
