// hmc: --cat sc -- -DN=2 => holds executions=1
// hmc: --cat rc11 -- -DN=12 => holds executions=8
//
// Threads enter messages into a hash table; with 11 threads or fewer no two meet, with 11 + k there are 8^k executions.
// C. Flanagan, P. Godefroid, "Dynamic partial-order reduction for model checking software", POPL 2005, section 6.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 12
#endif

#define SIZE 128
#define MAX 4

static atomic_int table[SIZE];

static void *indexer(void *arg) {
    int me = (int)(long)arg;
    for (int m = 0; m < MAX; m++) {
        int w = (m + 1) * 11 + me, h = (w * 7) % SIZE, free = 0;
        while (!atomic_compare_exchange_strong(&table[h], &free, w)) {
            free = 0;
            h = (h + 1) % SIZE;
        }
    }
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, indexer, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
