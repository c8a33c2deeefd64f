// hmc: --cat rc11,imm -- -std=c++20 => holds
// hmc: --cat rc11 -- -std=c++20 -DWRONG => violated kind=race
//
// Semaphores of C++20 are those of POSIX.
#include <cassert>
#include <semaphore>
#include <thread>

static std::binary_semaphore ready(0);
static int data;

static void sender() {
    data = 1; // HERE
    ready.release();
}

int main() {
    std::thread a(sender); // HERE
#ifdef WRONG
    if (!ready.try_acquire())
        ready.release();
#else
    ready.acquire();
#endif
    assert(data == 1); // HERE
    a.join();
    return 0;
}
