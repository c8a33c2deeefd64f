// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=race
//
// READ_ONCE on one side only.
#include <pthread.h>

static int flag;

static void *first(void *arg) {
#ifdef WRONG
    flag = 1; // HERE
#else
    WRITE_ONCE(flag, 1);
#endif
    return arg;
}

static void *second(void *arg) {
    int r = READ_ONCE(flag); // HERE
    (void)r;
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
