// hmc: --cat sc => holds
//
// Small structures are passed in registers whose layout is not theirs.
#include <assert.h>

struct mixed {
    unsigned short a, b;
    unsigned c : 24;
    unsigned short d;
};

static struct mixed table[2];

static struct mixed flip(struct mixed x) {
    x.a ^= 1;
    return x;
}

int main(void) {
    table[0].a = 6;
    table[0].b = 0x1234;
    table[0].c = 0x765432;
    table[0].d = 0xabcd;
    table[1] = flip(table[0]);
    assert(table[1].a == 7 && table[1].b == 0x1234 && table[1].c == 0x765432 && table[1].d == 0xabcd);
    return 0;
}
