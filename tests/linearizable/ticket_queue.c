// hmc: --cat sc,rc11 --linearizable queue:insert,take => violated linearizability
// A queue whose inserts draw a slot and fill it later. A remove that comes behind an insert may find the slot of another one empty.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int slots[4];
static atomic_int head, tail;

static void insert(int value) {
    int slot = atomic_fetch_add(&tail, 1);
    atomic_store(&slots[slot], value);
}

static int take(void) {
    int at = atomic_load(&head);
    int value = atomic_load(&slots[at]);
    if (value == 0)
        return -1;
    if (!atomic_compare_exchange_strong(&head, &at, at + 1))
        return -1;
    return value;
}

static void *one(void *unused) {
    insert(1);
    take();
    return 0;
}

static void *two(void *unused) {
    insert(2);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
