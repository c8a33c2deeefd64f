// hmc: --cat sc,tso,aarch64 => holds executions=2
// hmc: --cat rc11 => holds executions=2
// hmc: --cat lkmm => holds executions=2
// hmc: --cat sc,tso,aarch64 -- -DWRONG => violated kind=assertion
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
//
// A word is written as a whole. Who reads a half of it sees that of the old word or of the new one; who reads one half after the other may see
// halves of both.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef unsigned short half;

static _Atomic unsigned word;

static void *first(void *arg) {
    atomic_store(&word, 0x10001);
    return arg;
}

static void *second(void *arg) {
    half low = atomic_load((_Atomic half *)&word);
    assert(low == 0 || low == 1);
#ifdef WRONG
    half high = atomic_load((_Atomic half *)&word + 1);
    assert(low == high); // HERE
#endif
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
