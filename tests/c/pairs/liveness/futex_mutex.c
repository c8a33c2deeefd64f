// hmc: --cat rc11,sc,aarch64,x86tso => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=liveness
//
// The third mutex of Drepper, "Futexes are tricky" (2011): 0 free, 1 taken, 2 taken and somebody may wait. The broken twin does not say that it waits.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef WRONG
enum { WAITING = 1 };
#else
enum { WAITING = 2 };
#endif

static atomic_int mutex;
static int counter;

static void lock(void) {
    int seen = 0;
    if (atomic_compare_exchange_strong(&mutex, &seen, 1)) return;
    while (atomic_exchange(&mutex, WAITING) != 0)
        syscall(SYS_futex, &mutex, FUTEX_WAIT_PRIVATE, WAITING, NULL, NULL, 0); // HERE
}

static void unlock(void) {
    if (atomic_exchange(&mutex, 0) == 2) syscall(SYS_futex, &mutex, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *count(void *unused) {
    (void)unused;
    lock();
    counter++;
    unlock();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL); // HERE
    assert(counter == 2);
}
