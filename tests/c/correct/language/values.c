// hmc: --cat sc => holds executions=1
//
// Values of C: integers of all widths, floats, structures by value, unions, arrays, strings, recursion, function pointers,
// varargs, initialisers.
#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int a;
    long b;
};
struct big {
    int v[8];
    char name[5];
};
union word {
    uint32_t whole;
    uint8_t byte[4];
};
enum colour { RED = 3, GREEN };

static int table[3] = {1, 2, 3};
static int *second = &table[1];
static const char *const names[] = {"zero", "one", "two"};
static struct {
    struct pair p;
    int (*call)(int);
} record;
static _Thread_local int mine = 7;

static int twice(int x) { return 2 * x; }
static int (*functions[2])(int) = {twice, twice};
static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
static struct pair make(int a, long b) {
    struct pair p = {a, b};
    return p;
}
static long sum_big(struct big b) {
    long s = 0;
    for (int i = 0; i < 8; i++)
        s += b.v[i];
    b.v[0] = 100;
    return s + b.name[0];
}
static int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(list, int);
    va_end(list);
    return s;
}
static void out(int *p, int v) { *p = v; }
static int classify(int x) {
    switch (x) {
    case 0: return 10;
    case 1:
    case 2: return 20;
    case -5: return 30;
    default: return 40;
    }
}

int main(int argc, char **argv) {
    assert(argc == 1 && argv[0][0] == 'p' && !argv[1]);
    int8_t c = 127;
    c++;
    assert(c == -128);
    uint16_t s = 65535;
    s += 2;
    assert(s == 1);
    assert((int64_t)1 << 40 == 1099511627776);
    assert(-7 / 2 == -3 && -7 % 2 == -1 && (unsigned)-1 / 2 == 0x7fffffffu);
    assert(-8 >> 1 == -4 && (0x80000000u >> 31) == 1);
    double d = 1.5;
    float f = 0.25f;
    assert(d * 2 == 3.0 && (int)(d + f) == 1 && f < d && (float)d == 1.5f);
    assert(factorial(5) == 120);
    assert(second[0] == 2 && second[1] == 3 && *(second - 1) == 1);
    assert(strlen(names[2]) == 3 && strcmp(names[1], "one") == 0 && strcmp(names[0], "zerp") < 0);
    record.p = make(4, 5);
    record.call = functions[1];
    assert(record.p.a == 4 && record.p.b == 5 && record.call(21) == 42);
    struct big b = {{1, 2, 3, 4, 5, 6, 7, 8}, "x"}, copy = b;
    assert(sum_big(b) == 36 + 'x' && b.v[0] == 1 && copy.v[7] == 8);
    assert(memcmp(&b, &copy, sizeof b) == 0);
    union word w = {.whole = 0x01020304};
    assert(w.byte[0] == 4 && w.byte[3] == 1);
    assert(sum(4, 1, 2, 3, 4) == 10);
    assert(classify(0) == 10 && classify(2) == 20 && classify(-5) == 30 && classify(9) == 40);
    int v;
    out(&v, 17);
    assert(v == 17);
    assert(mine == 7);
    mine = 8;
    assert(mine == 8);
    int grid[3][4];
    memset(grid, 0, sizeof grid);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            grid[i][j] += i * j;
    assert(grid[2][3] == 6 && grid[0][3] == 0);
    int *p = malloc(3 * sizeof *p), *z = calloc(2, sizeof *z);
    p[0] = 1;
    p[2] = p[0] + 1;
    assert(p[2] == 2 && z[1] == 0);
    free(p);
    free(z);
    enum colour e = GREEN;
    assert(e == 4);
    _Bool flag = 5;
    assert(flag == 1);
    char text[8];
    strcpy(text, "abc");
    assert(text[3] == 0 && strchr(text, 'c') == text + 2);
    int old = v++;
    v += v;
    old = v;
    assert(old == 36);
    assert((argc ? 3 : 4) == 3 && (argc && v) && !(argc && !v));
    printf("%d %s\n", v, text);
    assert(__builtin_popcount(7) == 3 && __builtin_ctz(8) == 3 && __builtin_clz(1) == 31);
    int sum32;
    assert(__builtin_add_overflow(0x7fffffff, 1, &sum32) && sum32 == -2147483647 - 1);
    struct pair here = {1, 2}, *q = &record.p, *before = q++;
    before = &here;
    assert(before->b == 2 && q == &record.p + 1);
    return 0;
}
