// hmc: --cat lkmm --dependencies syntactic => holds executions=4 notes=1
// hmc: --cat c11 --dependencies syntactic => holds executions=4 notes=1
// hmc: --cat imm => holds executions=3 notes=0
//
// What the first round of a loop reads decides, through a flag, whether the second round writes, behind the place where it reads again. That write is read by the other
// thread, which writes what the first round reads. Exploration does not come to that; it is found by running each thread alone. imm orders it away.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *rounds(void *arg) {
    (void)arg;
    int set = 0;
    for (int i = 0; i < 2; i++) {
        int read = atomic_load_explicit(&x, memory_order_relaxed);
        if (set)
            atomic_store_explicit(&y, 1, memory_order_relaxed);
        if (read)
            set = 1;
    }
    return 0;
}

static void *other(void *arg) {
    (void)arg;
    int set = 0;
    if (atomic_load_explicit(&y, memory_order_relaxed))
        set = 1;
    atomic_store_explicit(&x, set, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, rounds, 0);
    pthread_create(&threads[1], 0, other, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
