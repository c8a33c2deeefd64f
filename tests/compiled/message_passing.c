// A message, published with release and acquire: every level keeps its outcomes.
#include <hmc.h>
#include <pthread.h>
#include <stdatomic.h>

static int data[2];
static atomic_int ready;

static void *writer(void *arg)
{
    data[0] = 1;
    data[1] = 2;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return 0;
}

static void *reader(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_acquire))
        hmc_observe(data[0], data[1]);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
