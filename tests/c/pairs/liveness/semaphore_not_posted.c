// hmc: --cat sc,tso,rc11,imm,lkmm,aarch64,power => holds
// hmc: --cat sc,tso,rc11,imm,lkmm,aarch64,power -- -DWRONG => violated kind=liveness
//
// A thread that does not post what it has taken leaves the other one waiting.
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;
static int count;

static void *thread(void *arg) {
    sem_wait(&lock); // HERE
    count++;
#ifndef WRONG
    sem_post(&lock);
#endif
    return arg;
}

int main(void) {
    sem_init(&lock, 0, 1);
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0); // HERE
    pthread_join(b, 0); // HERE
    return 0;
}
