// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// A lock that is one bit of an array, beside others that come and go without order; given back with release, or without.
#include <assert.h>
#include <pthread.h>

#define LOCK 65

static unsigned long bits[2];
static int data;

static void *work(void *arg) {
    while (test_and_set_bit_lock(LOCK, bits))
        cpu_relax();
    data++; // HERE
#ifdef WRONG
    clear_bit(LOCK, bits); // HERE
#else
    clear_bit_unlock(LOCK, bits);
#endif
    return arg;
}

int main(void) {
    pthread_t a, b;
    set_bit(64, bits);
    assert(!test_and_set_bit(3, bits) && test_bit(3, bits) && bits[0] == 8);
    assert(test_and_clear_bit(3, bits) && !test_bit(3, bits) && !test_and_change_bit(3, bits));
    change_bit(3, bits);
    assert(bits[0] == 0 && bits[1] == 1);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(data == 2 && bits[1] == 1);
    return 0;
}
