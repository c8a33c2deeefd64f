// hmc: --symmetry off --cat sc,rc11,imm => holds
//
// A reader reads two cells until the first is as it was before; W writers write both.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef W
#define W 2
#endif
#ifndef READERS
#define READERS 1
#endif

static atomic_int x, y;

static void *read_both(void *arg) {
    (void)arg;
    int a, b;
    do {
        a = atomic_load(&x);
        b = atomic_load(&y);
    } while (a != atomic_load(&x));
    return (void *)(long)(a + b);
}

static void *write_both(void *arg) {
    atomic_store(&x, (int)(long)arg);
    atomic_store(&y, (int)(long)arg);
    return 0;
}

int main(void) {
    pthread_t t[W + READERS];
    for (int i = 0; i < W; i++)
        pthread_create(&t[i], 0, write_both, (void *)(long)(i + 1));
    for (int i = 0; i < READERS; i++)
        pthread_create(&t[W + i], 0, read_both, 0);
    for (int i = 0; i < W + READERS; i++)
        pthread_join(t[i], 0);
    return 0;
}
