// Message passing in C++: the flag is published too weakly.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> ready;
static int message;

int main()
{
    std::thread sender([] {
        message = 42;
        ready.store(1, std::memory_order_relaxed);
    });
    if (ready.load(std::memory_order_acquire))
        assert(message == 42);
    sender.join();
}
