// hmc: --cat rc11,sc,aarch64 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=liveness
//
// One thread waits for a flag. The broken twin wakes before it sets the flag.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int flag;

static void *waiter(void *unused) {
    (void)unused;
    while (atomic_load(&flag) == 0)
        syscall(SYS_futex, &flag, FUTEX_WAIT, 0, NULL, NULL, 0); // HERE
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
#ifdef WRONG
    syscall(SYS_futex, &flag, FUTEX_WAKE, 1, NULL, NULL, 0);
    atomic_store(&flag, 1);
#else
    atomic_store(&flag, 1);
    syscall(SYS_futex, &flag, FUTEX_WAKE, 1, NULL, NULL, 0);
#endif
    pthread_join(thread, NULL); // HERE
}
