// hmc: --symmetry off --cat sc,tso,pso,rc11 => holds executions=15 blocked=0
//
// A number is counted up by halves and as a whole under a lock. The lock is never accessed in parts: who waits for it is woken in place, as if all accesses had one size.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static union {
    int half[2];
    long whole;
} count;

static void add_to_half(void) {
    pthread_mutex_lock(&lock);
    count.half[0]++;
    pthread_mutex_unlock(&lock);
}

static void add_to_whole(void) {
    pthread_mutex_lock(&lock);
    count.whole++;
    pthread_mutex_unlock(&lock);
}

static void *add(void *arg) {
    (void)arg;
    add_to_half();
    add_to_whole();
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        add(0);
        pthread_create(&t[i], 0, add, 0);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(count.whole == 8);
    return 0;
}
