// hmc: --cat sc,rc11 => holds executions=12
// hmc: --cat sc,rc11 -- -DWRONG => violated kind=assertion
//
// Two threads wait, and there is something for one of them: a signal may wake both, so who is woken has to look again. (The waits are in a loop that goes round once, where no wake-up
// is spurious.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define UNTIL_NOT if
#else
#define UNTIL_NOT while
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static atomic_int waiting, taken;
static int items;

static void *takes(void *arg) {
    for (int i = 0; i < 1; i++) {
        pthread_mutex_lock(&mutex);
        atomic_fetch_add(&waiting, 1);
        UNTIL_NOT(!items) {
            pthread_cond_wait(&filled, &mutex);
        }
        assert(items == 1); // HERE
        items = 0;
        atomic_fetch_add(&taken, 1);
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

static void gives(int nth) {
    pthread_mutex_lock(&mutex);
    items = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    while (atomic_load(&taken) != nth)
        ;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, takes, 0);
    pthread_create(&b, 0, takes, 0);
    while (atomic_load(&waiting) != 2)
        ;
    gives(1);
    gives(2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
