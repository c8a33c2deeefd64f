/* <pthread.h> for programs with pthread_cleanup_push: what is pushed runs when the thread ends inside, and where it is popped. The C library's own macros
 * jump; these keep a list for each thread. */
#include_next <pthread.h>
#ifndef HMC_CLEANUP_H
#define HMC_CLEANUP_H

#undef pthread_cleanup_push
#undef pthread_cleanup_pop

struct hmc_cleanup {
    void (*routine)(void *);
    void *arg;
    struct hmc_cleanup *next;
};

static __thread struct hmc_cleanup *hmc_cleanups;

static inline void hmc_cleanup_all(void) {
    while (hmc_cleanups) {
        struct hmc_cleanup *last = hmc_cleanups;
        hmc_cleanups = last->next;
        last->routine(last->arg);
    }
}

#define pthread_cleanup_push(wanted, with)                                         \
    do {                                                                           \
        struct hmc_cleanup hmc_pushed = {(wanted), (with), hmc_cleanups};          \
        hmc_cleanups = &hmc_pushed

#define pthread_cleanup_pop(execute)                                               \
        hmc_cleanups = hmc_pushed.next;                                            \
        if (execute) hmc_pushed.routine(hmc_pushed.arg);                           \
    } while (0)

static inline void hmc_cleanup_exit(void *result) __attribute__((noreturn));
static inline void hmc_cleanup_exit(void *result) {
    hmc_cleanup_all();
    pthread_exit(result);
}

#define pthread_exit(result) hmc_cleanup_exit(result)

#endif
