// hmc: --cat rc11 => holds
// hmc: --cat lkmm => holds
//
// Numbers of 128 bits: arithmetic, shifts, comparisons, division, in structures and in memory.
#include <assert.h>
#include <stdint.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

struct wide {
    char c;
    u128 w;
};

static u128 global = ((u128)5 << 64) | 7;
static volatile int seven = 7;
static volatile unsigned long ten = 10;

__attribute__((noinline)) static u128 product(uint64_t a, uint64_t b) {
    return (u128)a * b;
}

static unsigned long sum(unsigned long n) {
    unsigned long sum = 0;
    for (unsigned long i = 0; i < n; i++) sum += i;
    return sum;
}

int main(void) {
    u128 a = global + ((u128)1 << 64);
    assert((uint64_t)(a >> 64) == 6 && (uint64_t)a == 7);
    u128 m = product(0xffffffffffffffffull, 0xfffffffffffffff1ull);
    assert((uint64_t)(m >> 64) == 0xfffffffffffffff0ull && (uint64_t)m == 15);
    i128 n = -1;
    n -= seven;
    assert(n == -8 && n < 0 && (int64_t)(n >> 64) == -1 && n / 3 == -2 && n % 3 == -2 && n / -3 == 2);
    n *= n;
    assert(n == 64);
    u128 t = 1;
    t <<= seven * 10;
    assert(t >> 70 == 1 && (t >> 6) >> 64 == 1);
    t -= 1;
    assert((uint64_t)t == ~0ull && (uint64_t)(t >> 64) == 63);
    assert(((u128)1 << 127) > ((u128)1 << 126) && (i128)((u128)1 << 127) < 0);
    m = ((u128)1 << 100) + 12345;
    assert(m / ten == (((u128)1 << 100) + 12345) / 10 && m % ((u128)1 << 90) == 12345 && m / ((u128)1 << 99) == 2);
    assert((uint64_t)(m / 1000000007) * (u128)1000000007 + m % 1000000007 == (u128)(uint64_t)(m / 1000000007) * 1000000007 + m % 1000000007);
    struct wide s = {1, a}, r = s;
    assert(r.w == a && sizeof s == 32 && (u128)(-1ll) == ~(u128)0 && (a ^ a) == 0);
    assert(sum(ten) == 45);
    return 0;
}
