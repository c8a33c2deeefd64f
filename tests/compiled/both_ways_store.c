// Both ways of the branch store the same: the compiler drops the branch, and with it the control dependency.
#include <pthread.h>

int x, y;
int r0, r1;

static void *left(void *arg)
{
    r0 = READ_ONCE(x);
    if (r0)
        WRITE_ONCE(y, 1);
    else
        WRITE_ONCE(y, 1);
    return 0;
}

static void *right(void *arg)
{
    r1 = READ_ONCE(y);
    if (r1)
        WRITE_ONCE(x, 1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
