// hmc: --cat aarch64,power,riscv,armv7,imm => holds
// hmc: --cat aarch64,power,armv7 -- -DWRONG => violated kind=assertion
// hmc: --cat sc,x86tso -- -DWRONG => holds
//
// A function throws unless it reads 1. So what its caller writes behind the call depends on what it has read, though the function comes back.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int a, b;

static int look(std::atomic<int> &at) {
    int value = at.load(std::memory_order_relaxed);
#ifndef WRONG
    if (value != 1) throw value;
#endif
    return value;
}

static void copy(std::atomic<int> &from, std::atomic<int> &to, int &got) {
    try {
        got = look(from);
        to.store(1, std::memory_order_relaxed);
    } catch (int) {
    }
}

int main() {
    std::thread t([] { copy(x, y, a); }), u([] { copy(y, x, b); });
    t.join();
    u.join();
    assert(!(a == 1 && b == 1)); // HERE
    return 0;
}
