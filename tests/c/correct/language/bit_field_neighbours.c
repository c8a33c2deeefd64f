// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
//
// Bit-fields in units of three, five, six and seven bytes: writing one leaves what is behind it alone, and is not beyond the end of the object.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct __attribute__((packed)) three {
    unsigned v : 24;
};

struct __attribute__((packed)) two_of_three {
    unsigned a : 24, b : 24;
};

struct __attribute__((packed)) larger {
    unsigned long a : 40;
    unsigned long b : 48;
    unsigned long c : 56;
};

struct mixed {
    int a : 23;
    unsigned long b : 40;
    char c;
};

static struct three x[3];
static struct two_of_three y;
static struct larger z[2];
static struct mixed m = {-5, 0x123456789a, 7};

static void *write_first(void *arg) {
    x[0].v = 0x111111;
    return arg;
}

int main(void) {
    x[1].v = 0x7fffff;
    x[0].v = 0x222222;
    assert(x[1].v == 0x7fffff && x[0].v == 0x222222);
    x[2].v = 0x345678;
    assert(x[2].v == 0x345678 && x[1].v == 0x7fffff);

    y.b = 0x7fffff;
    y.a = 0x111111;
    assert(y.b == 0x7fffff && y.a == 0x111111);

    z[1].a = 1;
    z[0].c = 0xffffffffffffff;
    z[0].b = 0x123456789abc;
    z[0].a = 0xfedcba9876;
    assert(z[0].a == 0xfedcba9876 && z[0].b == 0x123456789abc && z[0].c == 0xffffffffffffff && z[1].a == 1);

    m.a = -7;
    assert(m.a == -7 && m.b == 0x123456789a && m.c == 7);
    m.b = 0xa987654321;
    assert(m.a == -7 && m.b == 0xa987654321 && m.c == 7);

    struct three *p = malloc(sizeof *p);
    p->v = 0x123456;
    assert(p->v == 0x123456);
    free(p);

    struct two_of_three local = {1, 2};
    local.a = 0xffffff;
    assert(local.a == 0xffffff && local.b == 2);

    pthread_t thread;
    pthread_create(&thread, 0, write_first, 0);
    pthread_join(thread, 0);
    assert(x[0].v == 0x111111 && x[1].v == 0x7fffff);
    return 0;
}
