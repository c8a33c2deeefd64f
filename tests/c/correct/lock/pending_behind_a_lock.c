// hmc: --cat sc => holds executions=216
// hmc: --cat c11 => holds executions=216
// hmc: --cat imm => holds executions=216
//
// Each of three threads counts under a write lock, takes a mutex, and makes a read-modify-write: three orders of three threads, 6 * 6 * 6 executions.
// Under C11 a revisit leaves two threads with the read of an atomic instruction and something behind it, the read of the revisiting write in one of them: both
// are equally urgent to run, in exploration and where the order is worked out in which deleted events would be added again. (Three executions were lost.)
#include <pthread.h>
#include <stdatomic.h>

static int counted;
static atomic_int last;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *run(void *arg) {
    pthread_rwlock_wrlock(&lock);
    counted = counted + 1;
    pthread_rwlock_unlock(&lock);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    atomic_fetch_add_explicit(&last, 1, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, run, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
