// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// The last user of an object takes it down. Each has given it back with release, and the last one's test orders what it does after what the others did;
// with a plain atomic decrement nothing does. Whoever finds the count at 0 does not get the object.
#include <assert.h>
#include <pthread.h>

struct object {
    refcount_t users;
    int value[2];
};

static struct object object = { .users = REFCOUNT_INIT(2) };

static void put(void) {
#ifdef WRONG
    if (atomic_fetch_sub_relaxed(1, &object.users.refs) == 1) // HERE
#else
    if (refcount_dec_and_test(&object.users))
#endif
        assert(object.value[0] + object.value[1] == 2); // HERE
}

static void *work(void *arg) {
    object.value[(long)arg] = 1; // HERE
    put();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(refcount_read(&object.users) == 0);
    assert(!refcount_inc_not_zero(&object.users));
    refcount_set(&object.users, 1);
    assert(refcount_inc_not_zero(&object.users) && refcount_read(&object.users) == 2);
    refcount_inc(&object.users);
    refcount_dec(&object.users);
    assert(!refcount_sub_and_test(1, &object.users) && refcount_sub_and_test(1, &object.users));
    return 0;
}
