// hmc: --cat lkmm => holds executions=4
// hmc: --cat rc11 => violated race
// hmc: --cat rc11 --plain once => holds executions=4
/* Under the kernel's model, accesses to volatile scalars are marked: READ_ONCE and WRITE_ONCE of the kernel's headers are such. */
#include <pthread.h>

static int x, y;

static void *store_x(void *nothing) { *(volatile int *)&x = 1; return (void *)(long)*(volatile int *)&y; }
static void *store_y(void *nothing) { *(volatile int *)&y = 1; return (void *)(long)*(volatile int *)&x; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, store_x, 0);
    pthread_create(&b, 0, store_y, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
