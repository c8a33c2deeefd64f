// hmc: --cat px86 --keep-going => bounded violating=0
// hmc: --cat px86 --keep-going -- -DHALVES => violated crash
// A processor stores eight aligned bytes whole. That the other thread reads half of them, and so hmc cuts the store, lets no crash come in between.
#include <assert.h>
#include <hmc.h>
#include <pthread.h>

hmc_persistent union {
    long whole;
    int half[2];
} word;

void hmc_recovery(void)
{
    assert(word.half[0] == word.half[1]);
}

static void *looks(void *arg)
{
    (void)*(volatile int *)&word.half[1];
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, looks, 0);
#ifdef HALVES
    word.half[0] = -1;
    word.half[1] = -1;
#else
    word.whole = -1;
#endif
    pthread_join(t, 0);
    return 0;
}
