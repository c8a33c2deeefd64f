// hmc: --cat lkmm => holds
//
// Message passing in the kernel: smp_store_release and smp_load_acquire.
#include <assert.h>
#include <pthread.h>

#ifndef PUBLISH
#define PUBLISH(p, v) smp_store_release(p, v)
#endif

static int data, flag;

static void *sender(void *arg) {
    (void)arg;
    WRITE_ONCE(data, 1);
    PUBLISH(&flag, 1);
    return 0;
}

static void *receiver(void *arg) {
    (void)arg;
    if (smp_load_acquire(&flag))
        assert(READ_ONCE(data) == 1);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
