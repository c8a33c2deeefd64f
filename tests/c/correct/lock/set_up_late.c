// hmc: --symmetry off --cat sc,tso,rc11 => holds executions=15 blocked=0
//
// A lock in allocated memory is set up when another thread has run already, so its first value is a write like others. Threads that are created later know it: nobody explores
// what they would do with memory that is not set up.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static int early;

static struct counted {
    pthread_mutex_t lock;
    int count;
} *counted;

static void add_one(void) {
    pthread_mutex_lock(&counted->lock);
    counted->count++;
    pthread_mutex_unlock(&counted->lock);
}

static void *add(void *arg) {
    (void)arg;
    add_one();
    return 0;
}

static void *before(void *arg) {
    (void)arg;
    pthread_mutex_lock(&first);
    early++;
    pthread_mutex_unlock(&first);
    return 0;
}

int main(void) {
    pthread_t t[3], other;
    pthread_create(&other, 0, before, 0);
    pthread_join(other, 0);
    counted = malloc(sizeof *counted);
    pthread_mutex_init(&counted->lock, 0);
    counted->count = 0;
    for (int i = 0; i < 3; i++) {
        add_one();
        pthread_create(&t[i], 0, add, 0);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(counted->count == 6);
    free(counted);
    return 0;
}
