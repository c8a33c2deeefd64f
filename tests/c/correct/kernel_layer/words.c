// hmc: --cat sc,lkmm,aarch64 => holds executions=1
/* What a thread keeps outside of memory: each its own, 0 at first. Loops that change it and change it back are idle. */
#include <assert.h>
#include <pthread.h>

extern unsigned long __hmc_word(int word);
extern void __hmc_set_word(int word, unsigned long value);

static int x;

static void *reader(void *nothing)
{
    assert(__hmc_word(1) == 0);
    __hmc_set_word(1, 2);
    while (!__atomic_load_n(&x, __ATOMIC_ACQUIRE)) {
        __hmc_set_word(1, __hmc_word(1) + 1);
        __hmc_set_word(1, __hmc_word(1) - 1);
    }
    assert(__hmc_word(1) == 2);
    return 0;
}

static void *writer(void *nothing)
{
    __hmc_set_word(1, 3);
    __atomic_store_n(&x, 1, __ATOMIC_RELEASE);
    assert(__hmc_word(1) == 3);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    __hmc_set_word(1, 1);
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(__hmc_word(1) == 1);
    return 0;
}
