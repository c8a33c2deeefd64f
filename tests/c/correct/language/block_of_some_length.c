// hmc: --cat sc => holds executions=2 notes=0
// hmc: --cat rc11 => holds executions=2 notes=0
// hmc: --cat imm => holds executions=2 notes=0
//
// Functions that clear and copy what they allocate are told of its length only when they run: the bytes are those of a structure, and are accessed as its members are.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

struct point {
    int x;
    short y;
    char z;
};

static struct point origin = {1, 2, 3};
static struct node *_Atomic head;

static void *cleared(size_t length) {
    return memset(malloc(length), 0, length);
}

static void *copied(const void *from, size_t length) {
    return memcpy(malloc(length), from, length);
}

static void *push(void *arg) {
    struct node *node = cleared(sizeof *node);
    assert(!node->next && !node->value);
    node->value = 7;
    struct point *point = copied(&origin, sizeof *point);
    assert(point->x == 1 && point->y == 2 && point->z == 3);
    point->z = 4;
    free(point);
    atomic_store_explicit(&head, node, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, push, 0);
    struct node *node = atomic_load_explicit(&head, memory_order_acquire);
    assert(!node || node->value == 7);
    pthread_join(t, 0);
    free(atomic_load(&head));
    return 0;
}
