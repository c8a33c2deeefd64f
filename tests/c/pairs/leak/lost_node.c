// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
// hmc: --cat rc11 -- -DWRONG => holds warning=leak
// hmc: --cat sc -- -DWRONG => holds warning=leak
// hmc: --cat lkmm => holds
// hmc: --cat lkmm -- -DWRONG => holds warning=leak
//
// A node of a list is dropped; the list that is still reachable is no leak.
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *list;

static void *first(void *arg) {
    struct node *a = malloc(sizeof *a);
    struct node *b = malloc(sizeof *b); // HERE
    b->next = 0;
#ifdef WRONG
    a->next = 0;
#else
    a->next = b;
#endif
    list = a;
    return arg;
}

static void *second(void *arg) {
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
