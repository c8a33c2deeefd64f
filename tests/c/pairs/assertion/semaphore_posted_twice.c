// hmc: --cat sc,tso,pso,ra,rc11,c11,imm,lkmm => holds executions=4
// hmc: --cat x86tso,aarch64,arm,armv7,power,riscv,mips => holds executions=4
// hmc: --cat sc,tso,pso,ra,rc11,imm,lkmm -- -DWRONG => violated
// hmc: --cat x86tso,aarch64,arm,armv7,power,riscv,mips -- -DWRONG => violated kind=assertion
//
// Who has waited twice sees what came before both posts, in whatever order they were taken.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int x, y;

static void *first(void *arg) {
    x = 1;
    sem_post(&done);
    return arg;
}

static void *second(void *arg) {
    y = 1;
    sem_post(&done);
    return arg;
}

static void *third(void *arg) {
    sem_wait(&done);
#ifndef WRONG
    sem_wait(&done);
#endif
    assert(x == 1 && y == 1); // HERE
    return arg;
}

int main(void) {
    sem_init(&done, 0, 0);
    pthread_t a, b, c;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_create(&c, 0, third, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
}
