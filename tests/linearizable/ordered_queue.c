// hmc: --cat rc11 --linearizable queue:insert,take => violated
// A client that tells by a flag that an insert has returned: the take behind it finds nothing where the other insert has drawn the first slot.
#include "structures/ticket_queue.c"
#include <pthread.h>

static atomic_int inserted;

static void *inserts_and_tells(void *unused) {
    insert(1);
    atomic_store(&inserted, 1);
    return unused;
}

static void *inserts(void *unused) {
    insert(2);
    return unused;
}

static void *takes(void *unused) {
    if (atomic_load(&inserted))
        take();
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, inserts_and_tells, 0);
    pthread_create(&threads[1], 0, inserts, 0);
    pthread_create(&threads[2], 0, takes, 0);
    for (int thread = 0; thread < 3; thread++)
        pthread_join(threads[thread], 0);
    return 0;
}
