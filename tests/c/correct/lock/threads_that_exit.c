// hmc: --symmetry off --cat sc,tso,rc11 => holds executions=6 blocked=0
// hmc: --symmetry off --cat sc,tso,rc11 -- -DMAIN_LEAVES => holds executions=6 blocked=0
// hmc: --symmetry off --cat sc,tso,rc11 -- -DKEEPS => violated kind=liveness
// hmc: --symmetry off --cat sc,tso,rc11 -- -DKEEPS -DMAIN_LEAVES => violated kind=liveness
//
// Threads end by `pthread_exit`. When `main` does, the program goes on until all of them have ended: no thread ends the program of another one.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *keeps) {
    pthread_mutex_lock(&lock); // HERE
    count++;
    if (!keeps)
        pthread_mutex_unlock(&lock);
    pthread_exit(0);
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
#ifdef KEEPS
        pthread_create(&t[i], 0, add, i == 2 ? &count : 0);
#else
        pthread_create(&t[i], 0, add, 0);
#endif
    }
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
#ifdef MAIN_LEAVES
    pthread_exit(0);
#endif
    return 0;
}
