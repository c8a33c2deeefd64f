// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
//
// A std::mutex in a thread's own variable, and one in an object that a thread makes: `make_unique` clears the object first, then its constructor initialises the mutex. (The first was
// said to be used before it is initialised, the second was refused for accesses of mixed sizes.)
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct Counter {
    std::mutex mutex;
    int value;
};

static int sum;

static void on_its_stack() {
    std::mutex mutex;
    std::lock_guard<std::mutex> guard(mutex);
    sum++;
}

static void allocated() {
    auto counter = std::make_unique<Counter>();
    std::lock_guard<std::mutex> guard(counter->mutex);
    counter->value++;
    assert(counter->value == 1);
}

int main() {
    std::thread a(on_its_stack), b(allocated);
    a.join();
    b.join();
    assert(sum == 1);
}
