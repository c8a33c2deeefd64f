// hmc: --cat rc11,rc20,c11 => holds,violated,holds kind=race
// hmc: --cat rc11,rc20,c11 -- -DUPDATE => holds
//
// A later write of the releasing thread continues its release sequence in C11, and no more in C++20. A read-modify-write does in both.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *sender(void *arg) {
    data = 1; // HERE
    atomic_store_explicit(&flag, 1, memory_order_release);
#ifdef UPDATE
    atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
#else
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
#endif
    return arg;
}

static void *receiver(void *arg) {
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        data = 2; // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
