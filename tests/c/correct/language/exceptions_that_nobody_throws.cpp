// hmc: --cat rc11 => holds
// hmc: --cat rc11 -- -DTHROWS => violated kind=assertion
//
// A program with `throw` and `try` in which nothing is thrown, or something is.
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
    assert(caught == 0 && x == 2); // HERE
    return 0;
}
