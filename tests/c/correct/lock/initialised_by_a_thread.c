// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat aarch64 => holds
// hmc: --cat rc11 -- -DKIND => holds
//
// Mutexes, reader-writer locks and condition variables with static initialisers, in variables and allocated memory of threads, are initialised. (They were said to be used
// before, where a thread had made them.) With KIND, there are recursive ones, too.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct box {
    int value;
    pthread_mutex_t mutex;
    pthread_rwlock_t lock;
    pthread_cond_t condition;
};

// Of the size of the other one.
struct other {
    long words[sizeof(struct box) / sizeof(long)];
};

static void *on_its_stack(void *arg) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
#ifdef KIND
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_t again;
    pthread_mutex_init(&again, &attributes);
    pthread_mutex_lock(&again);
    pthread_mutex_lock(&again);
    pthread_mutex_unlock(&again);
    pthread_mutex_unlock(&again);
#endif
    return arg;
}

static void *allocated(void *arg) {
    struct box *box = malloc(sizeof *box);
    *box = (struct box){
        .mutex = PTHREAD_MUTEX_INITIALIZER,
        .lock = PTHREAD_RWLOCK_INITIALIZER,
        .condition = PTHREAD_COND_INITIALIZER,
    };
    pthread_mutex_lock(&box->mutex);
    box->value++;
    pthread_cond_broadcast(&box->condition);
    pthread_mutex_unlock(&box->mutex);
    pthread_rwlock_wrlock(&box->lock);
    assert(box->value == 1);
    pthread_rwlock_unlock(&box->lock);
    free(box);
    return arg;
}

int main(void) {
    static struct other other;
    pthread_t a, b;
    pthread_create(&a, 0, on_its_stack, &other);
    pthread_create(&b, 0, allocated, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
