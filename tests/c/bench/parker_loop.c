// hmc: --cat sc,tso,rc11,imm -- -DN=2 => holds executions=60
// hmc: --cat sc,tso,rc11 -- -DN=5 => holds executions=566
// hmc: --cat sc -- -DN=5 -DNO_FENCE => holds executions=566
// hmc: --cat tso -- -DN=2 -DNO_FENCE => violated
//
// A parker in the shape whose counts the papers on stateless model checking report (566 executions for at most five calls): a sleeper parks until a
// condition holds, a waker makes it hold between two calls that wake. A permit and a flag for sleeping are guarded by a lock of two flags;
// waiting loops and the bound on the number of calls are assumptions. The fast path takes the permit without the lock; without the
// fence there the sleeper may go to sleep when nobody is left to wake it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

#ifdef NO_FENCE
#define FENCE()
#else
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif

void __VERIFIER_assume(int);

enum { WAKER, SLEEPER };
static atomic_int wants[2], permit, asleep, condition, woken;

static int get(atomic_int *of) { return atomic_load_explicit(of, memory_order_acquire); }

static void set(atomic_int *of, int value) { atomic_store_explicit(of, value, memory_order_release); }

static int is_free_for(int who) {
    set(&wants[who], 1);
    FENCE();
    return !get(&wants[1 - who]);
}

static void acquire(int who) { __VERIFIER_assume(is_free_for(who)); }

static void release(int who) { set(&wants[who], 0); }

static void wake(void) {
    acquire(WAKER);
    int had = get(&permit);
    set(&permit, 1);
    release(WAKER);
    if (!had)
        set(&asleep, 0);
}

static int takes_permit(void) {
    if (!get(&permit))
        return 0;
    set(&permit, 0);
    FENCE();
    return 1;
}

static void park(void) {
    if (takes_permit())
        return;
    int locked = is_free_for(SLEEPER);
    if (locked && !takes_permit()) {
        set(&asleep, 1);
        release(SLEEPER);
        // Otherwise it sleeps for ever.
        assert(!get(&woken) || !get(&asleep)); // HERE
        __VERIFIER_assume(!get(&asleep));
        acquire(SLEEPER);
        set(&permit, 0);
    }
    release(SLEEPER);
}

static void *sleeper(void *arg) {
    for (int calls = 0; !get(&condition); calls++) {
        __VERIFIER_assume(calls < N);
        park();
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sleeper, 0);
    wake();
    set(&condition, 1);
    wake();
    set(&woken, 1);
    return 0;
}
