/* What waits for files and sockets: anything may be ready or not, and a signal may come. Linked to programs that call these functions and do not define them. */
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>

int hmc_choose_below(int);

static int interrupted(void) {
    if (hmc_choose_below(2)) return 0;
    errno = EINTR;
    return 1;
}

int poll(struct pollfd *all, nfds_t n, int time) {
    int ready = 0;
    if (interrupted()) return -1;
    for (nfds_t i = 0; i < n; i++) {
        all[i].revents = hmc_choose_below(2) ? all[i].events : 0;
        if (all[i].revents) ready++;
    }
    return ready;
}

int ppoll(struct pollfd *all, nfds_t n, const struct timespec *time, const sigset_t *mask) { return poll(all, n, 0); }

/* All that was asked for is ready, or nothing. */
int select(int n, fd_set *read, fd_set *write, fd_set *other, struct timeval *time) {
    fd_set *sets[3] = {read, write, other};
    int ready = 0;
    if (interrupted()) return -1;
    int some = hmc_choose_below(2);
    for (int s = 0; s < 3; s++)
        for (int i = 0; sets[s] && i < n; i++) {
            if (!some) FD_CLR(i, sets[s]);
            else if (FD_ISSET(i, sets[s])) ready++;
        }
    return ready;
}

int epoll_create(int size) { return 3; }
int epoll_create1(int flags) { return 3; }
int epoll_ctl(int where, int what, int file, struct epoll_event *event) { return 0; }
/* Whose events these are is not known here: nothing is ready, or a signal comes. */
int epoll_wait(int where, struct epoll_event *events, int most, int time) { return interrupted() ? -1 : 0; }
