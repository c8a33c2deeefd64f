// hmc: --cat sc,rc11,lkmm -- -D_GNU_SOURCE => holds executions=1 blocked=0
// hmc: --cat sc,rc11 -- -D_GNU_SOURCE -DMEMBER => holds
// hmc: --cat sc,rc11 -- -D_GNU_SOURCE -DLOCAL => holds
// hmc: --cat sc,rc11 -- -D_GNU_SOURCE -DASSIGNED => holds
//
// A recursive mutex is locked twice by its owner, wherever its initialiser stands: in a variable, in a member of a structure of an
// array, in a local variable, in what is assigned to memory of the heap.
#include <pthread.h>
#include <stdlib.h>

struct account {
    int balance;
    pthread_mutex_t mutex;
};

#ifdef MEMBER
static struct account accounts[2] = {{1, PTHREAD_MUTEX_INITIALIZER}, {2, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP}};
#else
#if !defined LOCAL && !defined ASSIGNED
static pthread_mutex_t global = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#endif
#endif

static void twice(pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    pthread_mutex_unlock(mutex);
}

int main(void) {
#if defined MEMBER
    twice(&accounts[1].mutex);
#elif defined LOCAL
    pthread_mutex_t local = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    twice(&local);
#elif defined ASSIGNED
    struct account *account = malloc(sizeof *account);
    account->mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    twice(&account->mutex);
    free(account);
#else
    twice(&global);
#endif
    return 0;
}
