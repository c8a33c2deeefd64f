// hmc: --cat rc11,sc => holds
// hmc: --cat rc11,sc -- -DWRONG => violated kind=liveness
//
// A thread throws while it holds a lock. A guard gives it back on the way to the handler; who unlocks by hand passes over it.
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex m;
static int balance;

static void withdraw(int n) {
#ifdef WRONG
    m.lock(); // HERE
    if (n > balance) throw std::runtime_error("not enough");
    balance -= n;
    m.unlock();
#else
    std::lock_guard<std::mutex> guard(m);
    if (n > balance) throw std::runtime_error("not enough");
    balance -= n;
#endif
}

static void client() {
    try {
        withdraw(1);
    } catch (const std::exception &) {
    }
}

int main() {
    std::thread a(client), b(client);
    a.join();
    b.join();
    return 0;
}
