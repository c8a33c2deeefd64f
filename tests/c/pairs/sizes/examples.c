// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=1 => holds,violated,violated,violated,violated,violated,violated,violated,violated,violated,violated
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=2 => holds,holds,holds,holds,holds,holds,holds,holds,holds,holds,holds
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=3 => holds,holds,holds,violated,violated,violated,violated,violated,holds,holds,violated
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=4 => holds,holds,violated,holds,violated,violated,violated,violated,violated,violated,violated
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=5 => holds,holds,holds,holds,holds,holds,holds,holds,holds,holds,holds
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=6 => holds,violated,violated,violated,violated,violated,violated,violated,violated,violated,violated
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=7 => holds,holds,holds,holds,holds,holds,holds,holds,holds,holds,holds
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=8 => holds,holds,holds,holds,violated,violated,violated,violated,holds,holds,violated
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=9 => holds,holds,holds,holds,holds,holds,holds,holds,holds,holds,holds
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=10 => holds,holds,holds,holds,holds,violated,violated,violated,violated,violated,violated
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=11 => holds,violated,violated,violated,violated,violated,violated,violated,violated,violated,violated
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=12 => holds,holds,holds,holds,holds,holds,holds,holds,holds,holds,holds
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=13 => holds,holds,holds,holds,violated,violated,violated,violated,violated,violated,violated
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=14 => holds,holds,holds,holds,holds,holds,holds,holds,holds,holds,holds
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=15 => holds,holds,holds,violated,violated,violated,holds,holds,holds,holds,violated
// hmc: --cat sc,tso,pso,ra,rc11,imm,power,armv7,riscv,aarch64,lkmm -- -DEXAMPLE=16 => holds,holds,holds,holds,violated,violated,holds,holds,holds,holds,holds
//
// Sixteen small programs with accesses of a word and of its halves, and what models say of an outcome. A processor shows the first one although no fence can
// forbid it (the third) where a write reaches threads at different times: Flur et al., Mixed-size concurrency, POPL'17.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef EXAMPLE
#define EXAMPLE 1
#endif

static union {
    _Atomic uint32_t w;
    struct {
        _Atomic uint16_t l, h;
    };
} x;
static atomic_int y, z;
static uint32_t a, b, c, d;

#define R(part) atomic_load_explicit(&x.part, memory_order_relaxed)
#define ACQ(part) atomic_load_explicit(&x.part, memory_order_acquire)
#define L(part, value) atomic_store_explicit(&x.part, value, memory_order_relaxed)
#define REL(part, value) atomic_store_explicit(&x.part, value, memory_order_release)
#define V(variable) atomic_load_explicit(&variable, memory_order_relaxed)
#define Y(variable, value) atomic_store_explicit(&variable, value, memory_order_relaxed)
#define FENCE atomic_thread_fence(memory_order_seq_cst)

#if EXAMPLE == 1
#define T0 L(l, 1); a = R(w)
#define T1 L(h, 1); b = R(w)
#define OUTCOME (a == 0x1 && b == 0x10000)
#elif EXAMPLE == 2
#define T0 L(l, 1); FENCE; a = R(w)
#define T1 L(h, 1); FENCE; b = R(w)
#define OUTCOME (a == 0x1 && b == 0x10000)
#elif EXAMPLE == 3
#define T0 L(l, 1)
#define T1 L(h, 1)
#define T2 a = R(w)
#define T3 b = R(w)
#define OUTCOME (a == 0x1 && b == 0x10000)
#elif EXAMPLE == 4
#define T0 L(h, 1); L(l, 1)
#define T1 a = R(w)
#define OUTCOME (a == 0x1)
#elif EXAMPLE == 5
#define T0 L(w, 0x10001)
#define T1 L(w, 0x20002)
#define T2 a = R(l); b = R(w)
#define OUTCOME ((b >> 16) != (b & 0xffff) || (end >> 16) != (end & 0xffff))
#elif EXAMPLE == 6
#define T0 L(w, 0x10001)
#define T1 L(l, 3); a = R(w)
#define OUTCOME (a == 0x3 && end == 0x10003)
#elif EXAMPLE == 7
#define T0 a = atomic_exchange_explicit(&x.w, 0x20002, memory_order_relaxed)
#define T1 L(h, 1)
#define OUTCOME (a == 0 && end == 0x20002)
#elif EXAMPLE == 8
#define T0 a = atomic_exchange_explicit(&x.l, 1, memory_order_relaxed); b = R(w)
#define T1 L(w, 0x20002)
#define OUTCOME (a == 2 && b == 0x1)
#elif EXAMPLE == 9
#define T0 Y(y, 1); REL(l, 1)
#define T1 a = ACQ(w); b = V(y)
#define OUTCOME (a == 0x1 && b == 0)
#elif EXAMPLE == 10
#define T0 a = R(l); Y(y, 1)
#define T1 b = V(y); L(w, 0x20002)
#define OUTCOME (a == 2 && b == 1)
#elif EXAMPLE == 11
#define T0 L(l, 1); a = R(h)
#define T1 L(w, 0x20002); b = R(l)
#define OUTCOME (a == 0 && b == 2 && end == 0x20001)
#elif EXAMPLE == 12
#define T0 a = R(w); b = R(l)
#define T1 L(w, 0x20002)
#define OUTCOME (a == 0x20002 && b == 0)
#elif EXAMPLE == 13
#define T0 a = R(l); b = R(h)
#define T1 L(w, 0x20002)
#define OUTCOME (a == 2 && b == 0)
#elif EXAMPLE == 14
#define T0 Y(y, 1); REL(l, 1)
#define T1 Y(z, 1); REL(h, 1)
#define T2 a = ACQ(w); b = V(y); c = V(z)
#define OUTCOME (a == 0x10001 && (b == 0 || c == 0))
#elif EXAMPLE == 15
#define T0 L(l, 1); FENCE; L(h, 1)
#define T1 L(w, 0x20002)
#define OUTCOME (end == 0x20001)
#elif EXAMPLE == 16
#define T0 L(w, 0x10001)
#define T1 a = R(h); FENCE; b = V(y)
#define T2 Y(y, 1)
#define T3 c = V(y); FENCE; d = R(l)
#define OUTCOME (a == 1 && b == 0 && c == 1 && d == 0)
#endif

static void *t0(void *arg) {
    T0;
    return arg;
}
static void *t1(void *arg) {
    T1;
    return arg;
}
#ifdef T2
static void *t2(void *arg) {
    T2;
    return arg;
}
#endif
#ifdef T3
static void *t3(void *arg) {
    T3;
    return arg;
}
#endif

int main(void) {
    pthread_t threads[4];
    int n = 0;
    pthread_create(&threads[n++], 0, t0, 0);
    pthread_create(&threads[n++], 0, t1, 0);
#ifdef T2
    pthread_create(&threads[n++], 0, t2, 0);
#endif
#ifdef T3
    pthread_create(&threads[n++], 0, t3, 0);
#endif
    while (n > 0)
        pthread_join(threads[--n], 0);
    uint32_t end = R(w);
    (void)end;
    assert(!OUTCOME); // HERE
    return 0;
}
