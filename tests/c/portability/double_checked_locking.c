// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv => holds
// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv -- -DWRONG => holds,violated,holds,violated,violated,violated,violated kind=assertion
//
// Double-checked locking: the first look at the flag does not acquire, so what the flag guards may be read before it.
// D. Bacon and others, "The 'double-checked locking is broken' declaration", 2000.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int made, value;

static int get(void) {
    if (!atomic_load_explicit(&made, ACQUIRE)) {
        pthread_mutex_lock(&mutex);
        if (!atomic_load_explicit(&made, memory_order_relaxed)) {
            atomic_store_explicit(&value, 42, memory_order_relaxed);
            atomic_store_explicit(&made, 1, memory_order_release);
        }
        pthread_mutex_unlock(&mutex);
    }
    return atomic_load_explicit(&value, memory_order_relaxed);
}

static void *user(void *arg) {
    int seen = get();
    assert(seen == 42); // HERE
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
