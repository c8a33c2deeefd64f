// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
//
// What is pushed runs when the thread ends inside, the last one first, and where it is popped if that is wanted.
#include <assert.h>
#include <pthread.h>

static int order;
static int one = 1, two = 2;

static void note(void *which) {
    order = 10 * order + *(int *)which;
}

static void *ends(void *early) {
    pthread_cleanup_push(note, &one);
    pthread_cleanup_push(note, &two);
    if (early) pthread_exit(early);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return early;
}

int main(void) {
    pthread_t t, u;
    void *result;
    pthread_create(&t, 0, ends, 0);
    pthread_join(t, 0);
    assert(order == 1);
    pthread_create(&u, 0, ends, &order);
    pthread_join(u, &result);
    assert(order == 121 && result == &order);
    return 0;
}
