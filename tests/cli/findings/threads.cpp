#include <atomic>
#include <cassert>
#include <thread>

int message;
std::atomic<int> ready, other;

int main() {
    std::thread sender([] {
        message = 42;
        ready.store(1, std::memory_order_relaxed);
    });
    std::thread bystander([] { other.store(1, std::memory_order_relaxed); });
    std::thread receiver([] {
        if (ready.load(std::memory_order_acquire))
            assert(message == 42);
    });
    sender.join();
    bystander.join();
    receiver.join();
}
