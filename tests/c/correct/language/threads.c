// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
//
// The thread library: mutexes of all kinds, try, spin and reader-writer locks, once, keys, results, C11 threads.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive;
static pthread_spinlock_t spin;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int counter, made;

static void make(void) { made++; }

static void *work(void *arg) {
    pthread_once(&control, make);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    counter++;
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_setspecific(key, arg);
    assert(pthread_getspecific(key) == arg && made == 1);
    if ((long)arg == 2)
        pthread_exit((void *)12);
    return (void *)11;
}

static int c11(void *arg) {
    return *(int *)arg + 1;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attr);
    pthread_spin_init(&spin, 0);
    pthread_key_create(&key, 0);
    pthread_mutex_lock(&plain);
    assert(pthread_mutex_trylock(&plain) != 0);
    pthread_mutex_unlock(&plain);
    pthread_spin_lock(&spin);
    assert(pthread_spin_trylock(&spin) != 0);
    pthread_spin_unlock(&spin);
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_rdlock(&rw);
    assert(pthread_rwlock_trywrlock(&rw) != 0);
    pthread_rwlock_unlock(&rw);
    pthread_rwlock_unlock(&rw);
    pthread_rwlock_wrlock(&rw);
    assert(pthread_rwlock_tryrdlock(&rw) != 0);
    pthread_rwlock_unlock(&rw);
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(i + 1));
    void *result[2];
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], &result[i]);
    assert(result[0] == (void *)11 && result[1] == (void *)12 && counter == 2);
    thrd_t c;
    int in = 4, out;
    thrd_create(&c, c11, &in);
    thrd_join(c, &out);
    assert(out == 5);
    return 0;
}
