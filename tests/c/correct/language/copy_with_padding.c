// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
//
// Structures of which a part was never written are copied, by assignment, by value and with memcpy: what was written arrives, also where it
// shares a word with what was not, and also in a thread.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct small {
    int k;
    char c;
};

struct large {
    long f0, f1;
    char c;
};

// Of the same size, so that the size does not tell which of them is copied.
struct other {
    int a, b;
    long c, d;
};

static struct other other;
static struct large large[3];

static struct large same(struct large x) {
    return x;
}

static int sum(struct small x) {
    return x.k + x.c;
}

static int first(int n, ...) {
    va_list list;
    va_start(list, n);
    int value = va_arg(list, int);
    va_end(list);
    return value;
}

static void *copy(void *arg) {
    struct small *p = arg, *q = p + 1;
    *q = *p;
    assert(q->k == 5 && q->c == 1);
    return 0;
}

int main(void) {
    other.a = 1;

    volatile unsigned long n = sizeof(struct small);
    struct small *p = malloc(2 * n), *q = malloc(n);
    p->k = 5;
    p->c = 1;
    memcpy(q, p, n);
    assert(q->k == 5 && q->c == 1);
    // Read as one word, which goes into a register.
    assert(sum(*p) == 6);

    struct large *r = malloc(sizeof *r), *s = malloc(sizeof *s);
    r->f0 = r->f1 = 0;
    r->c = 1;
    *s = *r;
    assert(s->c == 1);

    large[2].c = 1;
    assert(first(1, 2) == 2);
    large[1] = same(large[0]);
    large[2] = same(large[2]);
    assert(large[1].c == 0 && large[2].c == 1);

    pthread_t thread;
    pthread_create(&thread, 0, copy, p);
    pthread_join(thread, 0);
    assert(p[1].k == 5 && p[1].c == 1);
    free(p), free(q), free(r), free(s);
    return 0;
}
