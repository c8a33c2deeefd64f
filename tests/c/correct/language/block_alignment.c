// hmc: --cat sc => holds
// hmc: --cat sc -- -O1 => holds
// hmc: --cat rc11 => holds
//
// Blocks of eight bytes and more that begin at a multiple of four only, or at any address: their accesses are no misaligned ones, and go with
// those to the single elements.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int a, b;
};

static int words[5];
static struct pair from[3], to[3];
static char bytes[16];

static void *work(void *arg) {
    memset(&words[1], 0, 2 * sizeof words[0]);
    memcpy(&words[3], &words[1], 2 * sizeof words[0]);
    words[1] += 1;
    to[1] = from[1];
    return arg;
}

int main(void) {
    int *p = malloc(5 * sizeof *p);
    p[0] = 1;
    memset(p + 1, 0, 4 * sizeof *p);
    assert(p[4] == 0);
    int q[2] = {1, 2};
    memcpy(p + 1, q, 8);
    assert(p[2] == 2 && p[0] == 1);

    long whole = 0x0102030405060708;
    memcpy(bytes + 1, &whole, sizeof whole);
    assert(bytes[0] == 0 && bytes[1] == 8 && bytes[8] == 1 && bytes[9] == 0);
    whole = 0;
    memcpy(&whole, bytes + 1, sizeof whole);
    assert(whole == 0x0102030405060708);
    memcpy(&whole, p + 1, sizeof whole);
    assert(whole == 0x200000001);
    free(p);

    for (int i = 0; i < 5; i++)
        words[i] = 9;
    from[1].a = 1;
    from[1].b = 2;
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(words[0] == 9 && words[1] == 1 && words[2] == 0 && words[3] == 0 && words[4] == 0);
    assert(to[1].a == 1 && to[1].b == 2);
    return 0;
}
