// hmc: --cat sc -- -std=c++20 => holds executions=162
// hmc: --cat sc -- -std=c++20 -DWRONG => violated kind=liveness
//
// The barrier of libstdc++: two threads meet. That of the broken twin expects three.
#include <barrier>
#include <cassert>
#include <thread>

#ifdef WRONG
#define THREADS 3
#else
#define THREADS 2
#endif
static int x, y;

int main() {
    std::barrier sync(THREADS);
    std::thread other([&] {
        x = 1;
        sync.arrive_and_wait(); // HERE
        assert(y == 1);
    });
    y = 1;
    sync.arrive_and_wait(); // HERE
    assert(x == 1);
    other.join();
}
