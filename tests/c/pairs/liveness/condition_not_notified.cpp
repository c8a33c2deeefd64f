// hmc: --cat sc,rc11,imm => holds
// hmc: --cat sc,rc11,imm -- -DWRONG => violated kind=liveness
//
// A waiter of a std::condition_variable is woken by who notifies it.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;

static void receiver() {
    std::unique_lock<std::mutex> lock(mutex);
    while (!ready)
        changed.wait(lock); // HERE
}

int main() {
    std::thread a(receiver);
    {
        std::lock_guard<std::mutex> lock(mutex);
        ready = true;
    }
#ifndef WRONG
    changed.notify_one();
#endif
    a.join(); // HERE
    return 0;
}
