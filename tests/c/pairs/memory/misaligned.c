// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated kind=memory
//
// A pointer is moved by one byte.
#include <pthread.h>

static long words[2];

static void *first(void *arg) {
    char *p = (char *)words;
#ifdef WRONG
    p += 1;
#endif
    *(int *)p = 1; // HERE
    return arg;
}

static void *second(void *arg) {
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
