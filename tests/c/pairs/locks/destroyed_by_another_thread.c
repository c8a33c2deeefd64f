// hmc: --cat rc11 -- -DSPIN => holds
// hmc: --cat rc11 --properties locks -- -DSPIN -DWRONG => violated kind=locks
// hmc: --cat sc --properties locks -- -DSEMAPHORE => holds
// hmc: --cat sc --properties locks -- -DSEMAPHORE -DWRONG => violated kind=locks
// hmc: --cat rc11 -- -DBARRIER => holds
// hmc: --cat rc11 --properties locks -- -DBARRIER -DWRONG => violated kind=locks
// hmc: --cat rc11 -- -DMUTEX => holds
// hmc: --cat rc11 --properties locks -- -DMUTEX -DWRONG => violated kind=locks
// hmc: --cat rc11 --properties locks -- -DTRIED => holds
// hmc: --cat rc11 --properties locks -- -DTRIED -DWRONG => violated kind=locks
// hmc: --cat rc11 -- -DREADER_WRITER => holds
// hmc: --cat rc11 --properties locks -- -DREADER_WRITER -DWRONG => violated kind=locks
//
// One thread uses what another one has destroyed: some uses wait for ever, some fail, some get through.
#include <pthread.h>
#include <semaphore.h>

#if defined SPIN
typedef pthread_spinlock_t object;
#define INITIALISE(o) pthread_spin_init(o, 0)
#define USE(o) (pthread_spin_lock(o), pthread_spin_unlock(o))
#define DESTROY(o) pthread_spin_destroy(o)
#elif defined SEMAPHORE
typedef sem_t object;
#define INITIALISE(o) sem_init(o, 0, 1)
#define USE(o) sem_trywait(o)
#define DESTROY(o) sem_destroy(o)
#elif defined BARRIER
typedef pthread_barrier_t object;
#define INITIALISE(o) pthread_barrier_init(o, 0, 1)
#define USE(o) pthread_barrier_wait(o)
#define DESTROY(o) pthread_barrier_destroy(o)
#elif defined READER_WRITER
typedef pthread_rwlock_t object;
#define INITIALISE(o) pthread_rwlock_init(o, 0)
#define USE(o) (pthread_rwlock_wrlock(o), pthread_rwlock_unlock(o))
#define DESTROY(o) pthread_rwlock_destroy(o)
#else
typedef pthread_mutex_t object;
#define INITIALISE(o) pthread_mutex_init(o, 0)
#ifdef TRIED
#define USE(o) (pthread_mutex_trylock(o) || pthread_mutex_unlock(o))
#else
#define USE(o) (pthread_mutex_lock(o), pthread_mutex_unlock(o))
#endif
#define DESTROY(o) pthread_mutex_destroy(o)
#endif

static object it;

static void *work(void *arg) {
    USE(&it); // HERE
    return arg;
}

int main(void) {
    pthread_t b;
    INITIALISE(&it);
    pthread_create(&b, 0, work, 0);
#ifndef WRONG
    pthread_join(b, 0);
#endif
    DESTROY(&it); // HERE
#ifdef WRONG
    pthread_join(b, 0);
#endif
    return 0;
}
