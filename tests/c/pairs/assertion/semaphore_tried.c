// hmc: --cat sc,rc11,imm,lkmm,power => holds
// hmc: --cat sc,rc11,imm,lkmm,power -- -DWRONG => violated kind=assertion
//
// Tries and timed waits may fail, and say so in errno; a clock that is read behind a time-out is past the deadline. With WRONG a failed try is taken to be early.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t ready, never;
static atomic_int data;

static void *sender(void *arg) {
    data = 1;
    sem_post(&ready);
    return arg;
}

static void *receiver(void *arg) {
    if (sem_trywait(&ready) == 0) {
        assert(data == 1);
    } else {
        assert(errno == EAGAIN);
#ifdef WRONG
        assert(data == 0); // HERE
#endif
    }
    struct timespec deadline, now;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 5;
    assert(sem_timedwait(&never, &deadline) == -1 && errno == ETIMEDOUT);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec >= deadline.tv_sec);
    return arg;
}

int main(void) {
    sem_init(&ready, 0, 0);
    sem_init(&never, 0, 0);
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
