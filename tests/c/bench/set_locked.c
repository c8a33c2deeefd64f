// hmc: --symmetry off --cat sc,tso,rc11 -- -DS=2 => holds executions=24 blocked=0
// hmc: --symmetry off --cat sc,rc11 -- -DFINE => holds executions=6 blocked=0
// hmc: --symmetry off --cat sc,rc11 -- -DFINE -DA=3 => holds executions=24 blocked=0
// hmc: --symmetry off --cat imm,aarch64,lkmm => holds executions=6 blocked=0
//
// A sorted list as a set: A threads add a number each, S threads look for one each. One lock for all; with FINE, a lock in each node, and threads go hand over hand.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef A
#define A 2
#endif
#ifndef S
#define S 1
#endif

struct node {
    int key;
    struct node *next;
    pthread_mutex_t lock;
};

static struct node tail = {1000, 0, PTHREAD_MUTEX_INITIALIZER};
static struct node head = {-1, &tail, PTHREAD_MUTEX_INITIALIZER};
static struct node nodes[A];
#ifndef FINE
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
#endif

static void take(struct node *n) {
#ifdef FINE
    pthread_mutex_lock(&n->lock);
#else
    (void)n;
#endif
}

static void give(struct node *n) {
#ifdef FINE
    pthread_mutex_unlock(&n->lock);
#else
    (void)n;
#endif
}

// The last node with a smaller key, and the one behind it; both are taken.
static struct node *find(int key, struct node **behind) {
    struct node *before = &head;
    take(before);
    struct node *at = before->next;
    take(at);
    while (at->key < key) {
        give(before);
        before = at;
        at = at->next;
        take(at);
    }
    *behind = at;
    return before;
}

static void *add(void *arg) {
    struct node *n = arg, *behind;
#ifndef FINE
    pthread_mutex_lock(&all);
#endif
    struct node *before = find(n->key, &behind);
    n->next = behind;
    before->next = n;
    give(behind);
    give(before);
#ifndef FINE
    pthread_mutex_unlock(&all);
#endif
    return 0;
}

static void *seek(void *arg) {
    struct node *behind;
#ifndef FINE
    pthread_mutex_lock(&all);
#endif
    struct node *before = find((int)(long)arg, &behind);
    int found = behind->key == (int)(long)arg;
    give(behind);
    give(before);
#ifndef FINE
    pthread_mutex_unlock(&all);
#endif
    return (void *)(long)found;
}

int main(void) {
    pthread_t t[A + S];
    for (int i = 0; i < A; i++) {
        nodes[i].key = i;
        pthread_mutex_init(&nodes[i].lock, 0);
    }
    for (int i = 0; i < A; i++)
        pthread_create(&t[i], 0, add, &nodes[i]);
    for (int i = 0; i < S; i++)
        pthread_create(&t[A + i], 0, seek, (void *)(long)(i % A));
    for (int i = 0; i < A + S; i++)
        pthread_join(t[i], 0);
    int count = 0;
    for (struct node *n = head.next; n != &tail; n = n->next)
        count++;
    assert(count == A);
    return 0;
}
