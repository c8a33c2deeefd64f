/* A queue whose inserts draw a slot and fill it later: wrong for a client that has an insert return before it calls a take. */
#include <stdatomic.h>

static atomic_int slots[8];
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
    return atomic_compare_exchange_strong(&head, &at, at + 1) ? value : -1;
}
