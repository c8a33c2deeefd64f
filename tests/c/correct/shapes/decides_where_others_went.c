// hmc: --cat lkmm --dependencies syntactic => holds executions=70 notes=1
// hmc: --cat c11 --dependencies syntactic => holds executions=70 notes=1
// hmc: --cat imm => holds notes=0
//
// Two pairs of threads run the same code. Of the first pair a fifth thread sets `y`, so that exploration comes to each place in the code, and goes each
// way there; of the second pair both may read 1 only because they do. These executions are found by running each thread alone. imm orders them away.
#include <pthread.h>
#include <stdatomic.h>

struct shared {
    atomic_int x, y;
};

static struct shared first, second;

static void *one(void *of) {
    struct shared *s = of;
    int set = 0;
    if (atomic_load_explicit(&s->x, memory_order_relaxed))
        set = 1;
    atomic_store_explicit(&s->y, set, memory_order_relaxed);
    return 0;
}

static void *other(void *of) {
    struct shared *s = of;
    int set = 0;
    if (atomic_load_explicit(&s->y, memory_order_relaxed))
        set = 1;
    atomic_store_explicit(&s->x, set, memory_order_relaxed);
    return 0;
}

static void *sets(void *of) {
    atomic_store_explicit(&((struct shared *)of)->y, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[5];
    pthread_create(&threads[0], 0, one, &first);
    pthread_create(&threads[1], 0, other, &first);
    pthread_create(&threads[2], 0, sets, &first);
    pthread_create(&threads[3], 0, one, &second);
    pthread_create(&threads[4], 0, other, &second);
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], 0);
    return 0;
}
