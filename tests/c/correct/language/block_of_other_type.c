// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
//
// Blocks of the size of a structure to which they have nothing to do: every byte is copied and cleared, also where that structure has padding.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct unrelated {
    int tag;
    long value;
};

static struct unrelated unrelated;

static void copy(void *to, const void *from) {
    memcpy(to, from, 16);
}

static void *clear(void *block) {
    memset(block, 0, 16);
    return 0;
}

int main(void) {
    unrelated.tag = 1;

    char *from = malloc(16), *to = malloc(16);
    memset(to, 0, 16);
    for (int i = 0; i < 16; i++)
        from[i] = i + 1;
    copy(to, from);
    for (int i = 0; i < 16; i++)
        assert(to[i] == i + 1);

    int *words = malloc(16);
    memset(words, 0, 16);
    assert(words[1] == 0);
    memcpy(words, from, 16);
    assert(words[1] == 0x08070605);

    pthread_t thread;
    pthread_create(&thread, 0, clear, words);
    pthread_join(thread, 0);
    assert(words[0] == 0 && words[1] == 0 && words[2] == 0 && words[3] == 0);
    free(from), free(to), free(words);
    return 0;
}
