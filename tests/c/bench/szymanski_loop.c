// hmc: --cat sc,rc11,imm -- -DN=1 => holds executions=6
// hmc: --cat sc,rc11 -- -DN=2 => holds executions=78
//
// Szymanski's mutual exclusion for two threads, N rounds each, with assumptions in the place of waiting loops: the shape whose counts the
// papers on waits report (1,068 executions for three rounds, 15,126 for four). Who goes first of two that are both at the last door is
// left open, so many executions end with both waiting; assumptions leave those out without a word.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

#include <genmc.h>

enum { AWAY, WANTS, IN_ROOM, AT_DOOR, INSIDE };
static atomic_int state[2], owner;

static int other(int me) { return atomic_load_explicit(&state[1 - me], memory_order_relaxed); }

static void become(int me, int what) {
    atomic_store_explicit(&state[me], what, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
}

static void *contend(void *arg) {
    int me = (int)(long)arg;
    for (int round = 0; round < N; round++) {
        become(me, WANTS);
        __VERIFIER_assume(other(me) < AT_DOOR);
        become(me, AT_DOOR);
        if (other(me) == WANTS) {
            become(me, IN_ROOM);
            __VERIFIER_assume(other(me) == INSIDE);
        }
        become(me, INSIDE);
        __VERIFIER_assume(other(me) < IN_ROOM);

        atomic_store_explicit(&owner, me, memory_order_relaxed);
        atomic_load_explicit(&owner, memory_order_relaxed);
        assert(atomic_load_explicit(&owner, memory_order_relaxed) == me);
        atomic_thread_fence(memory_order_seq_cst);

        int seen = other(me);
        __VERIFIER_assume(seen < IN_ROOM || seen > AT_DOOR);
        atomic_store_explicit(&state[me], AWAY, memory_order_relaxed);
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, contend, (void *)0);
    pthread_create(&second, 0, contend, (void *)1);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
