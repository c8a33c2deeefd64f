// hmc: --cat sc,x86tso,aarch64,power,armv7,riscv => holds
// hmc: --cat sc,x86tso,aarch64,power,armv7,riscv -- -DWRONG => holds,holds,violated,violated,violated,violated kind=assertion
//
// A pointer is published with a plain store. The reader's address dependency orders its side on every processor here; the writer's two
// stores are ordered by x86 only.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct version {
    int number;
};

static struct version first = {1}, second;

#ifdef WRONG
static struct version *current = &first;
#define PUBLISH(p) (*(struct version *volatile *)&current = (p))
#define CURRENT() (*(struct version *volatile *)&current)
#else
static _Atomic(struct version *) current = &first;
#define PUBLISH(p) atomic_store_explicit(&current, p, memory_order_release)
#define CURRENT() atomic_load_explicit(&current, memory_order_relaxed)
#endif

static void *reader(void *arg) {
    struct version *seen = CURRENT();
    assert(seen->number != 0); // HERE
    return arg;
}

static void *updater(void *arg) {
    second.number = 2;
    PUBLISH(&second);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, updater, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
