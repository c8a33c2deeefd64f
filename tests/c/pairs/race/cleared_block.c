// hmc: --cat rc11 => holds
// hmc: --cat c11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
// hmc: --cat c11 -- -DWRONG => violated kind=race
//
// A block is cleared while one of its words is written, a word that would be padding in a structure that has the size of the block.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct unrelated {
    int tag;
    long value;
};

static struct unrelated unrelated;

static void *clear(void *block) {
    memset(block, 0, 16); // HERE
    return 0;
}

static void *set(void *block) {
    ((int *)block)[1] = 7; // HERE
    return 0;
}

int main(void) {
    pthread_t first, second;
    int *block = malloc(16);
    unrelated.tag = 1;
    pthread_create(&first, 0, clear, block);
#ifndef WRONG
    pthread_join(first, 0);
#endif
    pthread_create(&second, 0, set, block);
#ifdef WRONG
    pthread_join(first, 0);
#endif
    pthread_join(second, 0);
    free(block);
    return 0;
}
