// hmc: --cat rc11 => holds
//
// poll and select give anything: nothing is ready, something is, or a signal has come.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/select.h>

static atomic_int ready;

static void *waiter(void *arg) {
    struct pollfd file = {.fd = 0, .events = POLLIN};
    int n = poll(&file, 1, 100);
    assert(n == 1 ? file.revents == POLLIN : n == 0 || errno == EINTR);
    if (n > 0) atomic_store(&ready, 1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    pthread_join(t, 0);
    fd_set files;
    FD_ZERO(&files);
    FD_SET(1, &files);
    int n = select(2, &files, 0, 0, 0);
    assert(n < 0 || n == FD_ISSET(1, &files));
    return 0;
}
