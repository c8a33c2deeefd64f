// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
// hmc: --cat sc -- -DWRONG => violated kind=assertion
// hmc: --cat rc11 -- -DWRONG => violated kind=assertion
//
// A word of a cleared block keeps its value only in the mind of who takes the block for a structure that has padding there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct unrelated {
    int tag;
    void *value;
};

static struct unrelated unrelated;

static void *clear(void *block) {
    memset(block, 0, 16);
    return 0;
}

int main(void) {
    pthread_t thread;
    unrelated.tag = 1;
    int *block = malloc(16);
    for (int i = 0; i < 4; i++)
        block[i] = 5;
    pthread_create(&thread, 0, clear, block);
    pthread_join(thread, 0);
#ifdef WRONG
    assert(block[1] == 5); // HERE
#else
    assert(block[1] == 0);
#endif
    free(block);
    return 0;
}
