// hmc: --cat sc => holds
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
//
// A loop runs one step over the end of an array that only its thread can see.
#include <pthread.h>

#ifdef WRONG
#define LAST 4
#else
#define LAST 3
#endif

static void *work(void *arg) {
    int squares[4];
    for (int i = 0; i <= LAST; i++)
        squares[i] = i * i; // HERE
    return squares[2] == 4 ? arg : 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    return 0;
}
