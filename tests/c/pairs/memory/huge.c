// hmc: --cat sc => holds
// hmc: --cat sc -- -DWRONG=67108865UL => unsupported
// hmc: --cat sc -- -DWRONG=-1UL => unsupported
// hmc: --cat sc -- -DWRONG=67108865UL -DIN_THREAD => unsupported
// hmc: --cat sc -- -DGLOBAL => unsupported
//
// Objects are as large as they are said to be, or it is said that they are too large.
#include <pthread.h>
#include <stdlib.h>

#ifdef GLOBAL
static char global[268435457];
#endif

#ifndef WRONG
#define WRONG 1048577
#endif

static void *use(void *arg) {
    unsigned long n = WRONG;
    char *p = malloc(n);
    p[n - 1] = 1;
    free(p);
    return arg;
}

int main(void) {
#ifdef GLOBAL
    global[268435456] = 1;
#endif
#ifdef IN_THREAD
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    pthread_join(thread, 0);
#else
    use(0);
#endif
    return 0;
}
