// hmc: --cat sc,aarch64,x86tso -- -std=c++20 => holds
// hmc: --cat sc -- -std=c++20 -DWRONG => violated kind=liveness
//
// A latch that one thread counts down, and another one waits for. That of the broken twin expects one more.
#include <cassert>
#include <latch>
#include <thread>

#ifdef WRONG
static std::latch done{2};
#else
static std::latch done{1};
#endif
static int data;

int main() {
    std::thread waiter([] {
        done.wait(); // HERE
        assert(data == 1);
    });
    data = 1;
    done.count_down(); // HERE
    waiter.join();     // HERE
}
