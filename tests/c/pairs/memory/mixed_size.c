// hmc: --cat rc11 => holds
// hmc: --cat lkmm => holds
// hmc: --cat rc11 -- -DWRONG => unsupported
// hmc: --cat lkmm -- -DWRONG => unsupported
//
// A word is written as a whole and its lower half is read: named, with the line, and never answered.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
typedef unsigned short part;
#else
typedef unsigned part;
#endif

static _Atomic unsigned word;

static void *first(void *arg) {
    atomic_store(&word, 0x10001);
    return arg;
}

static void *second(void *arg) {
    part seen = atomic_load((_Atomic part *)&word);
    assert(seen == 0 || seen == (part)0x10001);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
