// hmc: --cat sc => holds
// hmc: --cat tso => holds
// hmc: --cat pso => holds
// hmc: --cat rc11 => holds
// hmc: --cat aarch64 => holds
// hmc: --cat sc -- -DMARK=0 => violated
//
// A sorted list without locks: what is deleted is marked in the lowest bit of its own link first, or else what is put behind it is lost.
// T. L. Harris, "A pragmatic implementation of non-blocking linked-lists", DISC 2001.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef MARK
#define MARK 1
#endif

struct node {
    int key;
    _Atomic uintptr_t next;
};

static struct node last = {100, 0}, ten = {10, (uintptr_t)&last}, head = {0, (uintptr_t)&ten}, twenty = {20, 0};

static struct node *to(uintptr_t link) { return (struct node *)(link & ~(uintptr_t)1); }
static bool swing(_Atomic uintptr_t *link, uintptr_t from, uintptr_t to) {
    return atomic_compare_exchange_strong_explicit(link, &from, to, memory_order_acq_rel, memory_order_relaxed);
}

static struct node *search(int key, struct node **before) {
again:;
    struct node *at = &head;
    uintptr_t next = atomic_load_explicit(&at->next, memory_order_acquire), link = 0;
    do {
        if (!(next & 1)) {
            *before = at;
            link = next;
        }
        at = to(next);
        if (at == &last)
            break;
        next = atomic_load_explicit(&at->next, memory_order_acquire);
    } while (next & 1 || at->key < key);
    if (to(link) == at || swing(&(*before)->next, link, (uintptr_t)at))
        return at;
    goto again;
}

static void *insert(void *arg) {
    struct node *before, *at;
    do {
        at = search(twenty.key, &before);
        atomic_store_explicit(&twenty.next, (uintptr_t)at, memory_order_relaxed);
    } while (!swing(&before->next, (uintptr_t)at, (uintptr_t)&twenty));
    return arg;
}

static void *delete(void *arg) {
    struct node *before, *at = search(10, &before);
    uintptr_t next = atomic_load_explicit(&at->next, memory_order_relaxed);
    while (!swing(&at->next, next, next | MARK))
        next = atomic_load_explicit(&at->next, memory_order_relaxed);
    swing(&before->next, (uintptr_t)at, next);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, delete, 0);
    pthread_create(&b, 0, insert, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    struct node *before;
    assert(search(20, &before) == &twenty && before == &head);
    return 0;
}
