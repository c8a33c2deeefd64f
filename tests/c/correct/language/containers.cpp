// hmc: --cat rc11 => holds
//
// A map of C++ behind a lock: by the code of its header, and by hmc's for what is not there.
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

static std::map<int, int> squares;
static std::mutex lock;

static void add(int n) {
    std::lock_guard<std::mutex> guard(lock);
    squares[n] = n * n;
}

int main() {
    std::thread t([] { add(1); }), u([] { add(2); });
    t.join();
    u.join();
    assert(squares.size() == 2 && squares.at(1) == 1 && squares.at(2) == 4);
    return 0;
}
