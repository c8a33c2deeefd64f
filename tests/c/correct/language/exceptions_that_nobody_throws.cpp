// hmc: --cat rc11 => holds
// hmc: --cat rc11 -- -DTHROWS => unsupported
//
// A program with `throw` and `try` is checked as long as nothing is thrown.
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <string>
#include <thread>

#ifdef THROWS
static const int most = 0;
#else
static const int most = 5;
#endif

static std::atomic<int> x;
static int caught;

struct Guard {
    ~Guard() { x++; }
};

static void may(int i) {
    Guard guard;
    if (i > most) throw std::runtime_error("too much");
    x += i;
}

int main() {
    std::thread t([] {
        try {
            may(1);
        } catch (const std::exception &) {
            caught = 1;
        }
    });
    t.join();
    assert(caught == 0 && x == 2);
    return 0;
}
