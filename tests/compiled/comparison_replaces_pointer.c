// A pointer that equals the address of `reserve` is replaced by that address, and the address dependency is gone.
#include <pthread.h>

struct item { int v; };
struct item reserve, other;
struct item *p = &other;
int out = -1;

static void *writer(void *arg)
{
    WRITE_ONCE(reserve.v, 1);
    smp_wmb();
    WRITE_ONCE(p, &reserve);
    return 0;
}

static void *reader(void *arg)
{
    struct item *q = READ_ONCE(p);
    if (q == &reserve)
        out = READ_ONCE(q->v);
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
