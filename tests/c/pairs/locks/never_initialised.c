// hmc: --cat rc11 -- -DSPIN => holds
// hmc: --cat rc11 -- -DSPIN -DWRONG => violated kind=locks
// hmc: --cat sc -- -DSPIN -DWRONG -DALONE => violated kind=locks
// hmc: --cat rc11 -- -DSPIN -DWRONG -DALLOCATED => violated kind=locks
// hmc: --cat rc11 -- -DSEMAPHORE => holds
// hmc: --cat rc11 --properties locks -- -DSEMAPHORE -DWRONG => violated kind=locks
// hmc: --cat sc --properties locks -- -DSEMAPHORE -DWRONG -DALONE => violated kind=locks
// hmc: --cat rc11 --properties locks -- -DSEMAPHORE -DWRONG -DALLOCATED => violated kind=locks
// hmc: --cat rc11 -- -DBARRIER => holds
// hmc: --cat rc11 --properties locks -- -DBARRIER -DWRONG => violated kind=locks
// hmc: --cat sc --properties locks -- -DBARRIER -DWRONG -DALONE => violated kind=locks
// hmc: --cat rc11 --properties locks -- -DBARRIER -DWRONG -DALLOCATED => violated kind=locks
// hmc: --cat rc11 -- -DPLAIN_MUTEX => holds
// hmc: --cat rc11 -- -DPLAIN_MUTEX -DWRONG => violated kind=locks
// hmc: --cat sc -- -DPLAIN_MUTEX -DWRONG -DALONE => violated kind=locks
// hmc: --cat rc11 -- -DPLAIN_MUTEX -DWRONG -DALLOCATED => violated kind=locks
// hmc: --cat rc11 -- -DPLAIN_CONDITION => holds
// hmc: --cat rc11 -- -DPLAIN_CONDITION -DWRONG => violated kind=locks
// hmc: --cat rc11 -- -DMUTEX => holds
// hmc: --cat rc11 -- -DMUTEX -DSTATIC => holds
// hmc: --cat sc --properties locks -- -DMUTEX -DWRONG -DALLOCATED => violated kind=locks
// hmc: --cat sc --properties locks -- -DMUTEX -DWRONG -DALLOCATED -DALONE => violated kind=locks
// hmc: --cat rc11 -- -DREADER_WRITER -DSTATIC => holds
// hmc: --cat rc11 --properties locks -- -DREADER_WRITER -DWRONG -DALLOCATED => violated kind=locks
//
// An object of the thread library that was never initialised is used: in one thread or two, in static or allocated memory, whether or not the use gets
// through. Static memory of zeros is an initialised mutex, reader-writer lock or condition variable of POSIX; of the others there is no static initialiser.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

#if defined SPIN
typedef pthread_spinlock_t object;
#define INITIALISE(o) pthread_spin_init(o, 0)
#define USE(o) (pthread_spin_lock(o), pthread_spin_unlock(o))
#elif defined SEMAPHORE
typedef sem_t object;
#define INITIALISE(o) sem_init(o, 0, 2)
#define USE(o) sem_wait(o)
#elif defined BARRIER
typedef pthread_barrier_t object;
#define INITIALISE(o) pthread_barrier_init(o, 0, 1)
#define USE(o) pthread_barrier_wait(o)
#elif defined PLAIN_MUTEX
typedef mtx_t object;
#define INITIALISE(o) mtx_init(o, mtx_plain)
#define USE(o) (mtx_lock(o), mtx_unlock(o))
#elif defined PLAIN_CONDITION
typedef cnd_t object;
#define INITIALISE(o) cnd_init(o)
#define USE(o) cnd_signal(o)
#elif defined READER_WRITER
typedef pthread_rwlock_t object;
#define INITIALISE(o) pthread_rwlock_init(o, 0)
#define USE(o) (pthread_rwlock_rdlock(o), pthread_rwlock_unlock(o))
#else
typedef pthread_mutex_t object;
#define INITIALISE(o) pthread_mutex_init(o, 0)
#define USE(o) (pthread_mutex_lock(o), pthread_mutex_unlock(o))
#endif

static object memory;
static object *it = &memory;

static void *work(void *arg) {
    USE(it); // HERE
    return arg;
}

int main(void) {
#ifdef ALLOCATED
    it = malloc(sizeof *it);
#endif
#if !defined WRONG && !defined STATIC
    INITIALISE(it);
#endif
#ifdef ALONE
    USE(it); // HERE
#elif defined BARRIER
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
#else
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#endif
    return 0;
}
