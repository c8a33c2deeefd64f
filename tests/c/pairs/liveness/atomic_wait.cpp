// hmc: --cat rc11,sc,aarch64 -- -std=c++20 => holds
// hmc: --cat rc11 -- -std=c++20 -DWRONG => violated kind=liveness
//
// A flag that is waited for by `std::atomic::wait`. The broken twin notifies nobody.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> flag{0};
static int data;

int main() {
    std::thread waiter([] {
        flag.wait(0); // HERE
        assert(data == 1);
    });
    data = 1;
    flag.store(1); // HERE
#ifndef WRONG
    flag.notify_one();
#endif
    waiter.join(); // HERE
}
