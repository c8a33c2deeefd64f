// hmc: --symmetry off --cat sc,tso,rc11 => holds executions=6 blocked=0
//
// The program would end if a thread could not be created. That never happens, so nobody who waits for the lock is left waiting by it.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        if (pthread_create(&t[i], 0, add, 0) != 0)
            exit(1);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
