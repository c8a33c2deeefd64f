// hmc: --cat sc,tso,rc11,imm,lkmm,aarch64,power => holds
// hmc: --cat sc,tso,rc11,imm,lkmm,aarch64,power -- -DWRONG => violated kind=assertion
//
// A weak compare-and-exchange may fail although nobody else was there, so that one of two threads gets what both try once is not certain.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define EXCHANGE atomic_compare_exchange_weak
#else
#define EXCHANGE atomic_compare_exchange_strong
#endif

static atomic_int owner;

static void *tries(void *arg) {
    int expected = 0;
    if (!EXCHANGE(&owner, &expected, 1))
        assert(expected == 1); // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, tries, 0);
    pthread_create(&b, 0, tries, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(owner == 1); // HERE
    return 0;
}
