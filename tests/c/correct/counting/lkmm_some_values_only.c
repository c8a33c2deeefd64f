// hmc: --cat lkmm => holds
//
// Additions that are made of some values only: what each gives, and that of two that take the last one, one gets it.
#include <assert.h>
#include <pthread.h>

static atomic_t count = ATOMIC_INIT(1);
static int *place;

static void *take(void *arg) {
    return (void *)(long)(atomic_dec_if_positive(&count) >= 0);
}

int main(void) {
    pthread_t a, b;
    void *first, *second;
    pthread_create(&a, 0, take, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, &first);
    pthread_join(b, &second);
    assert((long)first + (long)second == 1 && atomic_read(&count) == 0);
    assert(atomic_fetch_add_unless(&count, 2, 0) == 0 && atomic_read(&count) == 0);
    assert(atomic_fetch_add_unless(&count, 2, 1) == 0 && atomic_read(&count) == 2);
    assert(!atomic_dec_unless_positive(&count) && atomic_inc_unless_negative(&count) && atomic_read(&count) == 3);
    int other = 0, *old = &other;
    assert(!try_cmpxchg(&place, &old, &other) && old == 0);
    assert(try_cmpxchg(&place, &old, &other) && place == &other);
    return 0;
}
