// hmc: --cat lkmm => holds executions=21 blocked=0 notes=0
//
// Four threads, three kernel spin locks. What a revisit deletes in one critical section is filled in after another one that comes later
// by its lock: the write in it does not come last in coherence then, and that says nothing against the model's checks. (Taken for a sign of it, the
// model's checks were left for the end, and there were 46,690 blocked explorations.)
#include <assert.h>
#include <pthread.h>

static spinlock_t lock_x, lock_y, lock_z;
static int x, y, z;

static void *reads_y(void *arg) {
    spin_lock(&lock_y);
    int r = READ_ONCE(y);
    spin_unlock(&lock_y);
    spin_lock(&lock_z);
    WRITE_ONCE(z, 1);
    spin_unlock(&lock_z);
    return (void *)(long)r;
}

static void *writes_x(void *arg) {
    spin_lock(&lock_x);
    WRITE_ONCE(x, 2);
    spin_unlock(&lock_x);
    return arg;
}

static void *writes_z(void *arg) {
    spin_lock(&lock_z);
    WRITE_ONCE(z, 2);
    int r = READ_ONCE(z);
    spin_unlock(&lock_z);
    spin_lock(&lock_x);
    WRITE_ONCE(x, 1);
    spin_unlock(&lock_x);
    return (void *)(long)r;
}

static void *reads_x(void *arg) {
    spin_lock(&lock_x);
    int r = READ_ONCE(x);
    spin_unlock(&lock_x);
    spin_lock(&lock_y);
    WRITE_ONCE(y, 1);
    spin_unlock(&lock_y);
    return (void *)(long)r;
}

int main(void) {
    pthread_t a, b, c, d;
    void *ra, *rc, *rd;
    pthread_create(&a, 0, reads_y, 0);
    pthread_create(&b, 0, writes_x, 0);
    pthread_create(&c, 0, writes_z, 0);
    pthread_create(&d, 0, reads_x, 0);
    pthread_join(a, &ra);
    pthread_join(b, 0);
    pthread_join(c, &rc);
    pthread_join(d, &rd);
    assert(!(x == 2 && z == 2 && (long)rd == 2 && (long)ra == 1 && (long)rc == 2));
    return 0;
}
