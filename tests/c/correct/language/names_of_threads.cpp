// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
//
// Every thread has a name that is not that of no thread, `main` too: a recursive lock of its own kept its owner's name, and was unlocked by none.
#include <atomic>
#include <cassert>
#include <mutex>
#include <pthread.h>
#include <thread>

static std::mutex mutex;
static std::atomic<std::thread::id> owner;
static int count, shared;

static void lock() {
    if (owner.load(std::memory_order_relaxed) != std::this_thread::get_id()) {
        mutex.lock();
        owner.store(std::this_thread::get_id(), std::memory_order_relaxed);
    }
    count++;
}

static void unlock() {
    if (--count == 0) {
        owner.store(std::thread::id(), std::memory_order_relaxed);
        mutex.unlock();
    }
}

static void work() {
    lock();
    lock();
    shared++;
    unlock();
    unlock();
}

int main() {
    assert(std::this_thread::get_id() != std::thread::id());
    assert(pthread_self() != 0);
    std::thread t(work);
    work();
    t.join();
    assert(shared == 2);
}
