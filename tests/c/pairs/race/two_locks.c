// hmc: --cat rc11 => holds
// hmc: --cat c11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
// hmc: --cat c11 -- -DWRONG => violated kind=race
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// Both threads take a lock, but not the same one.
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int shared;
#ifdef WRONG
#define SECOND two
#else
#define SECOND one
#endif

static void *first(void *arg) {
    pthread_mutex_lock(&one);
    shared = 1; // HERE
    pthread_mutex_unlock(&one);
    return arg;
}

static void *second(void *arg) {
    pthread_mutex_lock(&SECOND);
    shared = 2; // HERE
    pthread_mutex_unlock(&SECOND);
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
