// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat rc11 => holds
// hmc: --symmetry off --cat sc,imm,riscv,aarch64,power => holds executions=4 blocked=0
// hmc: --cat pso -- -DNO_FENCE => violated
// hmc: --cat tso -- -DNO_FENCE => holds
// hmc: --cat imm -- -DNO_FENCE => violated
//
// Double-checked locking of a singleton: without release and acquire another thread can see the pointer before the object.
// D. Bacon and others, "The 'double-checked locking is broken' declaration", 2000.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef NO_FENCE
#define RELEASE memory_order_relaxed
#define ACQUIRE memory_order_relaxed
#else
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#endif

struct object {
    atomic_int value;
};

static struct object instance;
static _Atomic(struct object *) singleton;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct object *get(void) {
    struct object *p = atomic_load_explicit(&singleton, ACQUIRE);
    if (!p) {
        pthread_mutex_lock(&mutex);
        p = atomic_load_explicit(&singleton, memory_order_relaxed);
        if (!p) {
            p = &instance;
            atomic_store_explicit(&p->value, 42, memory_order_relaxed);
            atomic_store_explicit(&singleton, p, RELEASE);
        }
        pthread_mutex_unlock(&mutex);
    }
    return p;
}

static void *user(void *arg) {
    (void)arg;
    assert(atomic_load_explicit(&get()->value, memory_order_relaxed) == 42);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
