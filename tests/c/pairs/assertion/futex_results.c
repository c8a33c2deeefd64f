// hmc: --cat rc11,sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
//
// What the calls give: another value is EAGAIN, a time-out ETIMEDOUT, a wake-up how many were woken. The broken twin believes that a wait with a
// time-out is left by a wake-up only.
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int futex;
static atomic_int done;

static void *waiter(void *unused) {
    (void)unused;
    struct timespec second = {1, 0};
    long result = syscall(SYS_futex, &futex, FUTEX_WAIT_BITSET, 0, &second, NULL, FUTEX_BITSET_MATCH_ANY);
#ifdef WRONG
    assert(result == 0); // HERE
#else
    assert(result == 0 || (result == -1 && (errno == ETIMEDOUT || errno == EAGAIN)));
    if (result == -1 && errno == EAGAIN) assert(atomic_load(&futex) == 1);
    if (result == 0) assert(atomic_load(&done) == 1);
#endif
    return NULL;
}

int main(void) {
    assert(syscall(SYS_futex, &futex, FUTEX_WAIT, 1, NULL, NULL, 0) == -1 && errno == EAGAIN);
    assert(syscall(SYS_futex, &futex, FUTEX_WAKE, 1, NULL, NULL, 0) == 0);
    assert(syscall(SYS_futex, &futex, FUTEX_CMP_REQUEUE, 1, (void *)1, &done, 1) == -1 && errno == EAGAIN);
    assert(syscall(SYS_futex, &futex, FUTEX_CMP_REQUEUE, 1, (void *)1, &done, 0) == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    atomic_store(&done, 1);
    atomic_store(&futex, 1);
    long woken = syscall(SYS_futex, &futex, FUTEX_WAKE_BITSET, 5, NULL, NULL, FUTEX_BITSET_MATCH_ANY);
    assert(woken == 0 || woken == 1);
    pthread_join(thread, NULL);
}
