// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DPLAIN => violated race
/* While a thread has them marked, its ordinary accesses race with nothing that is marked. */
#include <pthread.h>

extern void __hmc_mark_plain(int depth);

static int x;

static void *writer(void *nothing) { WRITE_ONCE(x, 1); return 0; }

int main(void)
{
    pthread_t a;
    int seen;

    pthread_create(&a, 0, writer, 0);
#ifdef PLAIN
    __hmc_mark_plain(0);
#else
    __hmc_mark_plain(1);
#endif
    seen = x;
    __hmc_mark_plain(0);
    pthread_join(a, 0);
    return seen > 1;
}
