// hmc: --cat sc,rc11,aarch64,lkmm => holds,holds,holds,holds
// hmc: --cat sc,rc11,aarch64,lkmm -- -DWRONG => violated,violated,violated,violated
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
//
// The head of a stack, an index and a tag in one word. It is exchanged as a whole. Who reads index and tag one after the other may get those of two heads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

struct head {
    uint16_t index, tag;
};

static union {
    _Atomic uint32_t word;
    struct {
        _Atomic uint16_t index, tag;
    } half;
} top;

static void *push(void *arg) {
    struct head old, new;
    uint32_t seen = atomic_load(&top.word), wanted;
    do {
        memcpy(&old, &seen, sizeof seen);
        new.index = old.index + 1;
        new.tag = old.tag + 1;
        memcpy(&wanted, &new, sizeof wanted);
    } while (!atomic_compare_exchange_strong(&top.word, &seen, wanted));
    return arg;
}

static void *look(void *arg) {
#ifdef WRONG
    uint16_t index = atomic_load(&top.half.index), tag = atomic_load(&top.half.tag);
    assert(index == tag); // HERE
#else
    struct head seen;
    uint32_t word = atomic_load(&top.word);
    memcpy(&seen, &word, sizeof seen);
    assert(seen.index == seen.tag);
    assert(atomic_load(&top.half.tag) >= seen.tag);
#endif
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, push, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&top.word) == 0x10001);
    return 0;
}
