// hmc: --cat tests/c/correct/counting/reads_only_after_creation.cat => holds executions=3
//
// A model of which a check gets weaker when more comes before a thread's creation: it forbids reads of what other threads write, but for what was written before
// the reading thread was created, and has no atomicity. The write of the increment may come at three places behind `x = 10`. What an increment, its source
// and a later write forbid by themselves, without the creation of the thread, says nothing here.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *nothing(void *arg) {
    return arg;
}

static void *add(void *arg) {
    atomic_fetch_add(&x, 1);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, nothing, 0);
    atomic_store(&x, 10);
    pthread_create(&second, 0, add, 0);
    atomic_store(&x, 12);
    atomic_store(&x, 13);
    pthread_join(second, 0);
    pthread_join(first, 0);
    return 0;
}
