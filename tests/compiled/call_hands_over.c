// `hand_over` lets the other thread write `data`, and waits for it: what was read before the call says nothing of what is there behind it.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int turn;
int first, second;

__attribute__((noinline)) static void hand_over(void)
{
    atomic_store(&turn, 1);
    while (atomic_load(&turn))
        ;
}

static void *giver(void *arg)
{
    first = data;
    hand_over();
    second = data;
    return 0;
}

static void *taker(void *arg)
{
    while (!atomic_load(&turn))
        ;
    data = 1;
    atomic_store(&turn, 0);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, giver, 0);
    pthread_create(&b, 0, taker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
