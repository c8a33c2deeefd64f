// hmc: --cat sc,rc11,c11,imm => holds
// hmc: --cat aarch64,power => holds
// hmc: --cat sc,rc11,imm -- -DCALL => holds
//
// A local variable is initialised by whoever meets it first; others wait for that, and see all of it. The same goes for std::call_once.
#include <cassert>
#include <mutex>
#include <thread>

static int made, called;

struct Thing {
    int value;
    Thing() : value(42) { made++; }
};

static Thing &thing() {
    static Thing only;
    return only;
}

static std::once_flag flag;

static void thread() {
#ifdef CALL
    std::call_once(flag, [](int by) { called += by; }, 3);
    assert(called == 3);
#else
    assert(thing().value == 42);
#endif
}

int main() {
    std::thread a(thread), b(thread);
    a.join();
    b.join();
    assert(made <= 1);
    return 0;
}
