// hmc: --cat rc11,sc,aarch64,lkmm => holds,holds,holds,holds
// hmc: --cat rc11,sc,aarch64,lkmm -- -DWRONG => violated,violated,violated,violated
//
// A pointer with a tag that counts its changes, swapped as one of sixteen bytes. A reader of its two words may see a new pointer with an old tag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct tagged {
    int *pointer;
    uint64_t tag;
};

static int one, two;
static union {
    _Atomic struct tagged whole;
    struct {
        int *_Atomic pointer;
        _Atomic uint64_t tag;
    } words;
} head;

static void *writer(void *arg) {
    struct tagged old = {0, 0}, new = {&one, 1};
    assert(atomic_compare_exchange_strong(&head.whole, &old, new));
    old = new;
    new = (struct tagged){&two, 2};
    assert(atomic_compare_exchange_strong(&head.whole, &old, new));
    return arg;
}

static void *reader(void *arg) {
#ifdef WRONG
    struct tagged seen = {.tag = atomic_load(&head.words.tag)};
    seen.pointer = atomic_load(&head.words.pointer);
#else
    struct tagged seen = atomic_load(&head.whole);
#endif
    assert(seen.pointer == (seen.tag == 0 ? 0 : seen.tag == 1 ? &one : &two)); // HERE
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
