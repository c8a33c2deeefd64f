// hmc: --cat lkmm => holds executions=6 notes=0
//
// Critical sections of one lock, and one of another lock before one of them. A read in the first section cannot read a write in a
// later one, because the lock orders them. That this write is not reached unless the section has ended is no sign of an execution that decides about itself.
#include <assert.h>
#include <pthread.h>

static spinlock_t lock_x, lock_y, lock_z;
static int x, y, z;
static int read_x, read_z;

static void *first(void *arg) {
    spin_lock(&lock_x);
    WRITE_ONCE(x, 2);
    spin_unlock(&lock_x);
    return arg;
}

static void *second(void *arg) {
    spin_lock(&lock_x);
    read_x = READ_ONCE(x);
    spin_unlock(&lock_x);
    spin_lock(&lock_y);
    WRITE_ONCE(y, 1);
    spin_unlock(&lock_y);
    return arg;
}

static void *third(void *arg) {
    spin_lock(&lock_z);
    WRITE_ONCE(z, 2);
    read_z = READ_ONCE(z);
    spin_unlock(&lock_z);
    spin_lock(&lock_x);
    WRITE_ONCE(x, 1);
    spin_unlock(&lock_x);
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_create(&c, 0, third, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(y == 1 && read_z == 2);
    return 0;
}
