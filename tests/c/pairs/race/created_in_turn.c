// hmc: --cat tests/c/pairs/race/release_and_acquire_only.cat,sc,rc11,rc20,c11,imm,lkmm,aarch64,power => holds executions=2
// hmc: --cat tests/c/pairs/race/release_and_acquire_only.cat,rc11,rc20,c11 -- -DWRONG => violated kind=race
// hmc: --cat tests/c/pairs/race/release_and_acquire_only.cat,rc11,rc20,c11 -- -DWRONG_END => violated kind=race
//
// What a thread does before it creates another one, between two creations and behind a join is ordered under every model, also under one that
// knows nothing of threads. Threads are given what they are to do through pointers, create threads themselves, and end in a function that they call.
// Nothing orders a write behind the creation (WRONG), or before the join (WRONG_END), with what the thread does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int x, y, z;
static atomic_int order;

struct task {
    void *(*run)(void *);
    int value;
};

static void *idle(void *arg) {
    atomic_fetch_add_explicit(&order, 1, memory_order_relaxed);
    return arg;
}

static void *grandchild(void *arg) {
    z = x + *(int *)arg; // HERE
    return 0;
}

static void leave(void) {
    atomic_fetch_add_explicit(&order, 1, memory_order_relaxed);
    y = z + 1;
    pthread_exit(0);
}

static void *child(void *arg) {
    struct task *task = arg;
    pthread_t t;
    pthread_create(&t, 0, task->run, &task->value);
    pthread_join(t, 0);
    leave();
    return 0;
}

int main(void) {
    pthread_t t, u;
    struct task task = {grandchild, 0};
    pthread_create(&t, 0, idle, 0);
    task.value = 3;
#ifndef WRONG
    x = 4;
#endif
    pthread_create(&u, 0, child, &task);
#ifdef WRONG
    x = 4; // HERE
#endif
#ifdef WRONG_END
    z = 7; // HERE
#endif
    pthread_join(u, 0);
#if !defined WRONG && !defined WRONG_END
    assert(y == 8);
#endif
    pthread_join(t, 0);
    return 0;
}
