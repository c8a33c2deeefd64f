// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => violated
//
// Test programs in the kernel's style find <lkmm.h>.
#include <lkmm.h>

int x, y;
int r0, r1;

static void *writer(void *arg) {
    WRITE_ONCE(x, 1);
#ifndef WRONG
    smp_wmb();
#endif
    WRITE_ONCE(y, 1);
    return arg;
}

static void *reader(void *arg) {
    r0 = READ_ONCE(y);
    smp_rmb();
    r1 = READ_ONCE(x);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(!(r0 == 1 && r1 == 0)); // HERE
    return 0;
}
