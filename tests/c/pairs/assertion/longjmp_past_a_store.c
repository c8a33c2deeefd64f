// hmc: --cat sc,rc11,x86tso,aarch64 => holds executions=3
// hmc: --cat sc,rc11 -- -DWRONG => violated kind=assertion
// hmc: --cat sc -- -O2 => holds
//
// Two functions deep, a thread finds that it has been cancelled, and jumps back to where it began: what it would have done on its way back is not done. A second jump goes to a
// buffer inside the first one.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static atomic_int cancelled, done;

static void look(jmp_buf to, int value) {
    if (atomic_load(&cancelled)) longjmp(to, value);
}

static void work(jmp_buf to, int value) {
    look(to, value);
    atomic_fetch_add(&done, 1);
}

static void *worker(void *arg) {
    jmp_buf first, second;
    switch (setjmp(first)) {
    case 0:
        if (setjmp(second)) return arg;
        work(first, 5);
        work(second, 0);
        return arg;
    case 5:
#ifdef WRONG
        assert(atomic_load(&done) == 1); // HERE
#else
        assert(atomic_load(&done) == 0);
#endif
        return arg;
    default: assert(0);
    }
    return arg;
}

static void *canceller(void *arg) {
    atomic_store(&cancelled, 1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, canceller, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    jmp_buf again;
    volatile int rounds = 0;
    int got = setjmp(again);
    if (rounds < 3) {
        rounds++;
        longjmp(again, 10 * rounds);
    }
    assert(got == 30);
    return 0;
}
