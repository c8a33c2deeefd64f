// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=liveness
//
// A condition variable whose waiters are sent to the mutex, as in Drepper, "Futexes are tricky" (2011). The broken twin sends nobody.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int mutex, number;
static int ready;
static void lock(void) {
    int seen = 0;
    if (atomic_compare_exchange_strong(&mutex, &seen, 1)) return;
    while (atomic_exchange(&mutex, 2) != 0)
        syscall(SYS_futex, &mutex, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0); // HERE
}
static void unlock(void) {
    if (atomic_exchange(&mutex, 0) == 2)
        syscall(SYS_futex, &mutex, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
static void *waiter(void *unused) {
    (void)unused;
    lock();
    while (!ready) {
        int seen = atomic_load(&number);
        unlock();
        syscall(SYS_futex, &number, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0); // HERE
        while (atomic_exchange(&mutex, 2) != 0)
            syscall(SYS_futex, &mutex, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0); // HERE
    }
    unlock();
    return NULL;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    lock();
    ready = 1;
#ifndef WRONG
    atomic_fetch_add(&number, 1);
    syscall(SYS_futex, &number, FUTEX_REQUEUE_PRIVATE, 1, (void *)(intptr_t)INT_MAX, &mutex, 0);
#endif
    unlock();
    pthread_join(thread, NULL); // HERE
}
