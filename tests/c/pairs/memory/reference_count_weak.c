// hmc: --cat sc,tso,rc11,imm,pso,aarch64,power,riscv,armv7,mips,lkmm => holds executions=2
// hmc: --cat sc,tso,rc11,imm,pso,aarch64,power,riscv,armv7,mips,lkmm -- -DREADS => holds executions=2
// hmc: --cat rc11,imm,aarch64,power,riscv,armv7,mips,lkmm -- -DWRONG => violated kind=memory
// hmc: --cat rc11,imm,aarch64,power,riscv,armv7,lkmm -- -DWRONG -DREADS => violated kind=memory
// hmc: --cat sc,tso -- -DWRONG => holds executions=2
//
// A reference count that is given back with a relaxed decrement. Program order and reads-from lead from the use to the free, but the model does not keep the use
// before the decrement: what another thread does with the memory once it is freed may come first.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WRONG
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acq_rel
#endif
#ifdef READS
#define USE(place) (void)*(volatile int *)&(place)
#else
#define USE(place) (place) = 1
#endif

static struct object {
    atomic_int users;
    int a, b;
} *object;

static void drop(void) {
    if (atomic_fetch_sub_explicit(&object->users, 1, ORDER) == 1)
        free(object); // HERE
}

static void *first(void *arg) {
    USE(object->a); // HERE
    drop();
    return arg;
}

static void *second(void *arg) {
    USE(object->b); // HERE
    drop();
    return arg;
}

int main(void) {
    pthread_t a, b;
    object = malloc(sizeof *object);
    object->a = object->b = 0;
    atomic_init(&object->users, 2);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
